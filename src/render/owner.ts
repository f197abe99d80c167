/** Who renders: what its objects are labelled with. */
export interface Owner {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** As messages name it. */
export function ownerText({ kind, name }: Pick<Owner, "kind" | "name">): string {
  return `${kind}/${name}`;
}
