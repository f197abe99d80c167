// The places of several builds. An object that two of them have is looked up in the first.
import type { Item } from "../krm/index.ts";
import type { Node } from "../yaml/index.ts";
import type { Chain, FilePlaces, TextPlace } from "../explain/index.ts";
import type { Place } from "../explanation.ts";
import type { SourceText } from "./kustomize/marks.ts";
import { objectKey, type ObjectId } from "../object-id.ts";

/** Places in a build, of more than what explaining asks for. */
export interface BuildPlaces extends FilePlaces {
  /** What a text in an item is read from, if the build changed nothing of it. */
  sourceOf(item: Item, path: readonly string[], own: Node): SourceText | undefined;
  /** True for a scalar that a Secret set, or a part of it. */
  isSecretAt(item: Item, path: readonly string[], own: Node): boolean;
  /** The data keys of a ConfigMap with values of a Secret. */
  takenKeys(item: Item): readonly string[];
  chainAt(item: Item, path: readonly string[], values: Node): Chain;
}

export class JoinedPlaces implements FilePlaces {
  private readonly byObject: ReadonlyMap<string, BuildPlaces>;

  private readonly first: JoinedPlaces | BuildPlaces | undefined;

  /** @param first places that come before those of the others */
  constructor(byObject: ReadonlyMap<string, BuildPlaces>, first?: JoinedPlaces | BuildPlaces) {
    this.byObject = byObject;
    this.first = first;
  }

  /** The build that an object is from. */
  of(object: ObjectId): BuildPlaces | undefined {
    return this.byObject.get(objectKey(object));
  }

  private for(object: Item): FilePlaces | undefined {
    const { first } = this;
    const isKnown =
      first instanceof JoinedPlaces ? first.of(object) !== undefined : first?.findItem(object) !== undefined;
    return isKnown ? first : (this.of(object) ?? first);
  }

  findItem(item: Item): Place | undefined {
    return this.for(item)?.findItem(item);
  }

  findText(item: Item, key: string, text: Uint8Array): TextPlace | undefined {
    return this.for(item)?.findText(item, key, text);
  }

  fieldAt(item: Item, path: readonly string[], own: Node): Place | undefined {
    return this.for(item)?.fieldAt?.(item, path, own);
  }

  chainAt(item: Item, path: readonly string[], values: Node): Chain | undefined {
    return this.for(item)?.chainAt(item, path, values);
  }
}
