/**
 * Finds the first of many rules that applies, without asking each: rules that look at the same figure or name are grouped,
 * and each such group knows for every value which of its rules comes first. A place is a rule's index in the order.
 */

/** No rule applies. */
export const noPlace = Number.POSITIVE_INFINITY;

/** from ≤ x < to; null: no end on that side. */
export interface Span {
  from: bigint | null;
  to: bigint | null;
}

/** Rules that apply where one of the names is on their list, or where none is. Places come in their order. */
export class NameRules {
  /** By name, the first rule that applies on it. */
  readonly #on = new Map<string, number>();
  readonly #off: { place: number; names: ReadonlySet<string> }[] = [];
  readonly #known = new Map<string, number>();

  add(place: number, names: readonly string[], appliesOn: boolean): void {
    if (!appliesOn) this.#off.push({ place, names: new Set(names) });
    else for (const name of names) if (!this.#on.has(name)) this.#on.set(name, place);
  }

  /** Chains, members, departments and their like: as many combinations as a company has, and each is looked for once. */
  first(names: readonly string[]): number {
    const key = names.join(' ');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const on = names.map((name) => this.#on.get(name) ?? noPlace);
    const off = this.#off.find((rule) => !names.some((name) => rule.names.has(name)))?.place ?? noPlace;
    const place = Math.min(off, ...on);
    this.#known.set(key, place);
    return place;
  }
}

/** Rules that apply to a figure in one of their spans. Places come in their order; nothing is added after the first question. */
export class FigureRules {
  readonly #rules: { place: number; spans: readonly Span[] }[] = [];
  #index: { edges: bigint[]; places: Float64Array } | null = null;

  add(place: number, spans: readonly Span[]): void {
    this.#rules.push({ place, spans });
  }

  first(figure: bigint): number {
    this.#index ??= this.#build();
    const { edges, places } = this.#index;
    return places[countUpTo(edges, figure)] ?? noPlace;
  }

  /** The edges of all spans cut the figures into stretches; a rule takes those of its stretches that none before it took. */
  #build(): { edges: bigint[]; places: Float64Array } {
    const spans = this.#rules.flatMap((rule) => rule.spans);
    const all = spans.flatMap(({ from, to }) => [from, to]).filter((edge) => edge !== null);
    const edges = [...new Set(all)].sort((a, b) => (a < b ? -1 : 1));
    const places = new Float64Array(edges.length + 1).fill(noPlace);
    // The next stretch that is still free, from each; a taken one points behind itself.
    const free = Int32Array.from({ length: places.length + 1 }, (_, i) => i);
    const nextFree = (from: number): number => {
      let at = from;
      while (free[at] !== at) {
        free[at] = free[free[at] ?? at] ?? at;
        at = free[at] ?? at;
      }
      return at;
    };
    for (const { place, spans: own } of this.#rules) {
      for (const { from, to } of own) {
        const end = to === null ? places.length : countUpTo(edges, to);
        for (let at = nextFree(from === null ? 0 : countUpTo(edges, from)); at < end; at = nextFree(at)) {
          places[at] = place;
          free[at] = at + 1;
        }
      }
    }
    return { edges, places };
  }
}

/** How many of the sorted edges are not above a figure: the number of the stretch that it lies in. */
function countUpTo(edges: readonly bigint[], figure: bigint): number {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const edge = edges[middle];
    if (edge !== undefined && edge <= figure) low = middle + 1;
    else high = middle;
  }
  return low;
}
