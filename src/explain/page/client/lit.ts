// A layer under the pointer, or with the focus on its button, lights up all that it sets in the target.

export function lightUp(main: HTMLElement): void {
  let lit: string | undefined;
  const light = (id: string | undefined): void => {
    if (id === lit) return;
    lit = id;
    for (const each of main.querySelectorAll<HTMLElement>("[data-layer]"))
      each.classList.toggle("lit", each.dataset["layer"] === id);
  };
  const layerAt = ({ target }: Event): string | undefined =>
    target instanceof Element
      ? // Not a whole row of values: the page would flicker under a pointer that only passes.
        target.closest(".badge, .place, .line, .layers tr")?.closest<HTMLElement>("[data-layer]")?.dataset[
          "layer"
        ]
      : undefined;
  main.addEventListener("pointerover", (event) => light(layerAt(event)));
  main.addEventListener("pointerleave", () => light(undefined));
  main.addEventListener("focusin", (event) => light(layerAt(event)));
  main.addEventListener("focusout", () => light(undefined));
}
