// Formats of text, for the keyword `format`.
import { isIPv4, isIPv6 } from "node:net";

/** As Helm checks them in drafts 4 to 7. Every text fits a format that is not here. */
const formats: { readonly [format: string]: (text: string) => boolean } = {
  ipv4: isIPv4,
  ipv6: (text) => isIPv6(text) && !text.includes("%"),
  hostname: isHostname,
  email: isEmail,
  date: isDate,
  time: isTime,
  "date-time": (text) => /^.{10}[Tt]/s.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
  uuid: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  uri: isUri,
  duration: isDuration,
  "json-pointer": (text) => /^(?:\/(?:[^/~]|~[01])*)*$/.test(text),
};

/** Undefined for a format that is not checked. */
export function formatTest(format: string): ((text: string) => boolean) | undefined {
  return Object.hasOwn(formats, format) ? formats[format] : undefined;
}

function isHostname(text: string): boolean {
  const name = text.replace(/\.$/, "");
  return name.length <= 253 && /^(?!-)[a-z\d-]{1,63}(?<!-)(?:\.(?!-)[a-z\d-]{1,63}(?<!-))*$/i.test(name);
}

function isEmail(text: string): boolean {
  const [, local = "", domain = ""] = /^(.*)@(.*)$/s.exec(text) ?? [];
  const isLocal = /^(?:"[^"\\]*"|[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*)?$/.test(local);
  if (!isLocal || local.length > 64 || text.length > 254) return false;
  const [, address] = /^\[(.*)\]$/.exec(domain) ?? [];
  if (address === undefined) return isHostname(domain);
  return address.startsWith("IPv6:") ? isIPv6(address.slice(5)) : isIPv4(address);
}

function isDate(text: string): boolean {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const last = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= last;
}

/** A leap second is at the end of a day in UTC, in every time zone. */
function isTime(text: string): boolean {
  const [, hours, minutes, seconds, offset = "", sign, offsetHours, offsetMinutes] =
    /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?([Zz]|([-+])(\d\d):(\d\d))$/.exec(text) ?? [];
  if (offset === "") return false;
  const [h, m, s, oh, om] = [hours, minutes, seconds, offsetHours, offsetMinutes].map((part) =>
    Number(part ?? 0),
  ) as [number, number, number, number, number];
  if (h > 23 || m > 59 || s > 60 || oh > 23 || om > 59) return false;
  const atZero = h * 60 + m - (sign === "-" ? -1 : 1) * (oh * 60 + om);
  return s < 60 || (atZero + 2880) % 1440 === 1439;
}

function isDuration(text: string): boolean {
  const isWritten = /^P(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/.test(
    text,
  );
  return isWritten && text !== "P";
}

/** After a scheme without a slash, Go accepts nearly anything. */
function isUri(text: string): boolean {
  const isOne = /^[a-z][a-z\d+.-]*:[^\s"<>\\^`{|}]*$/i.test(text);
  return isOne && !/^[^:]*:\/.*%(?![\da-f]{2})/i.test(text);
}
