// Whole numbers as text, five bits a letter: small numbers are short, and no letter means anything to JSON or HTML.
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const base = 32;

const valueOf = new Uint8Array(128);
for (let value = 0; value < letters.length; value++) valueOf[letters.charCodeAt(value)] = value;

/** A number from 0; lowest digits first, every letter but the last from the upper half. */
export function writeNumber(number: number): string {
  let text = "";
  let rest = number;
  for (; rest >= base; rest = Math.floor(rest / base)) text += letters.charAt(base + (rest % base));
  return text + letters.charAt(rest);
}

/** A difference: those next to 0 are short, whatever their sign. */
export function writeDifference(number: number): string {
  return writeNumber(number < 0 ? -2 * number - 1 : 2 * number);
}

export class NumberReader {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get isDone(): boolean {
    return this.at >= this.text.length;
  }

  number(): number {
    let number = 0;
    for (let scale = 1; ; scale *= base) {
      const digit = valueOf[this.text.charCodeAt(this.at++)] ?? 0;
      if (digit < base) return number + digit * scale;
      number += (digit - base) * scale;
    }
  }

  difference(): number {
    const number = this.number();
    return number % 2 === 1 ? -(number + 1) / 2 : number / 2;
  }
}
