// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements without markup in strings: what comes from the source is text, whatever it holds.

export type Child = Node|string|undefined;

export function element<K extends keyof HTMLElementTagNameMap>(
    tag: K, attributes: Record<string, string> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const result = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    result.setAttribute(name, value);
  result.append(...children.filter((each): each is Node|string => each !== undefined));
  return result;
}

/** Scrolls the list, and nothing around it, until the child is seen with its neighbours. */
export function scrollWithin(list: HTMLElement, child: HTMLElement): void {
  const margin = 52;
  const outer = list.getBoundingClientRect(), inner = child.getBoundingClientRect();
  if (inner.top < outer.top + margin)
    list.scrollTop -= outer.top + margin - inner.top;
  else if (inner.bottom > outer.bottom - margin)
    list.scrollTop += inner.bottom - outer.bottom + margin;
}

export function drawing(tag: string, attributes: Record<string, string|number>, ...children: Node[]): SVGElement {
  const result = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes))
    result.setAttribute(name, String(value));
  result.append(...children);
  return result;
}
