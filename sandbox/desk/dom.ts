type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** Makes an element; text is set as text, never as markup. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children);
  return element;
}

export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element ${id}`);
  return element;
}

const shown = new Map<string, string>();

/** Redraws a part of the page only when its content has changed, so that focus and selection survive otherwise. */
export function draw(id: string, state: unknown, children: () => (Node | string)[]): void {
  const key = JSON.stringify([document.documentElement.lang, state]);
  if (shown.get(id) === key) return;
  shown.set(id, key);
  byId(id).replaceChildren(...children());
}

/** Buttons of which one is pressed. */
export function choice(
  label: string,
  options: readonly { value: string; label: string }[],
  current: string,
  choose: (value: string) => void,
): HTMLElement {
  const group = h('div', { class: 'segments', role: 'group', 'aria-label': label });
  for (const option of options) {
    const button = h('button', { type: 'button', 'aria-pressed': String(option.value === current) }, option.label);
    button.addEventListener('click', () => choose(option.value));
    group.append(button);
  }
  return group;
}

export function field(label: string, control: HTMLElement): HTMLElement {
  return h('label', {}, label, control);
}
