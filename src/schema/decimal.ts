// Exact arithmetic on numbers in decimal text. With doubles, 0.3 would not be a multiple of 0.1.

/** `digits` × 10 ^ `power`, without zeros at the end of the digits. */
interface Decimal {
  readonly digits: bigint;
  readonly power: number;
}

/** A double distinguishes all numbers of this many digits. */
const exactDigits = 15;

/** Longer numbers and larger powers are not computed with: it would take too long. */
const mostPower = 1000;

/** Undefined if the text is not a decimal number, or is beyond `mostPower`. */
function decimalOf(text: string): Decimal | undefined {
  const [, sign = "", whole = "", part = "", exponent = "0"] =
    /^([-+]?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const written = `${whole}${part}`;
  const digits = written.replace(/0+$/, "");
  const power = Number(exponent) - part.length + (written.length - digits.length);
  if (written === "" || written.length > mostPower || Math.abs(power) > mostPower) return undefined;
  return digits === "" ? { digits: 0n, power: 0 } : { digits: BigInt(sign + digits), power };
}

function isShort(text: string): boolean {
  return text.length <= exactDigits;
}

/** Negative, zero or positive, as for sorting. */
export function compareNumbers(a: string, b: string): number {
  const difference = Number(a) - Number(b);
  if (difference !== 0 || (isShort(a) && isShort(b))) return difference;
  const [left, right] = [decimalOf(a), decimalOf(b)];
  if (left === undefined || right === undefined) return 0;
  const [one, other] = aligned(left, right);
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Undefined if one of the numbers is beyond `mostPower`. */
export function isMultipleOf(text: string, of: string): boolean | undefined {
  const [left, right] = [decimalOf(text), decimalOf(of)];
  if (left === undefined || right === undefined || right.digits === 0n) return undefined;
  const [one, other] = aligned(left, right);
  return one % other === 0n;
}

function aligned(a: Decimal, b: Decimal): [bigint, bigint] {
  const power = Math.min(a.power, b.power);
  return [a.digits * 10n ** BigInt(a.power - power), b.digits * 10n ** BigInt(b.power - power)];
}

export function isInteger(text: string): boolean {
  if (isShort(text)) return Number.isInteger(Number(text));
  const decimal = decimalOf(text);
  return decimal === undefined ? Number.isInteger(Number(text)) : decimal.power >= 0;
}

/** One text for all spellings of a number. */
export function canonicalNumber(text: string): string {
  if (/^-?[1-9]\d{0,14}$/.test(text)) return text;
  const decimal = decimalOf(text);
  if (decimal === undefined) return String(Number(text));
  const { digits, power } = decimal;
  return power >= 0 && power < 30 ? String(digits * 10n ** BigInt(power)) : `${digits}e${power}`;
}
