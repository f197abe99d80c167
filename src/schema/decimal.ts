// Multiples of decimal numbers, exactly: with doubles, 0.3 would not be a multiple of 0.1.

/** Larger powers are not computed with: it would take too long. */
const mostPower = 1000;

/** Undefined if one of the numbers is beyond `mostPower`. */
export function isMultipleOf(value: number, of: number): boolean | undefined {
  const [a, b] = [decimalOf(value), decimalOf(of)];
  const power = Math.min(a.power, b.power);
  if (Math.max(a.power, b.power) - power > mostPower) return undefined;
  return (a.digits * 10n ** BigInt(a.power - power)) % (b.digits * 10n ** BigInt(b.power - power)) === 0n;
}

/** `digits` × 10 ^ `power`. */
function decimalOf(value: number): { readonly digits: bigint; readonly power: number } {
  const [, whole = "", part = "", exponent = "0"] = /^(-?\d+)\.?(\d*)(?:e(.+))?$/.exec(String(value)) ?? [];
  return { digits: BigInt(whole + part), power: Number(exponent) - part.length };
}
