import type { Person } from '../features/organisation/index.ts';

/**
 * What approvals are, in plain lists, for the property test: it decides by reading the rules of decisions, "Approvals and risk" word for word, and
 * knows nothing of seats, matchings or SQL.
 */

export interface ModelNode {
  needed: number;
  people: string[];
  roles: string[];
}

export interface ModelTask {
  taskId: string;
  subjectId: string;
  initiator: string;
  cents: bigint;
  nodes: ModelNode[];
  /** How many times the staff had changed when it began; null: it has not. */
  began: number | null;
  node: number;
  state: 'pending' | 'approved' | 'rejected' | 'withdrawn' | 'expired' | 'voided' | 'stopped';
  /** Who acted, at which node, for whom. */
  acts: { by: string; place: string; node: number }[];
  tampered: boolean;
  forbidden: boolean;
}

export interface ModelRule {
  lower: bigint;
  upper: bigint | null;
  nodes: ModelNode[];
}

export class ApprovalsModel {
  rules: ModelRule[] = [];
  readonly tasks: ModelTask[] = [];
  /** The staff before each change of it. */
  readonly past: Person[][] = [];
  readonly staff: () => Person[];

  constructor(staff: () => Person[]) {
    this.staff = staff;
  }

  person(id: string): Person | undefined {
    return this.staff().find((each) => each.id === id);
  }

  /** "A deputy of a person on leave counts as that person": who sits in a person's place now. */
  sitsFor(place: Person): string {
    const deputy = place.onLeave && place.deputyId !== null ? this.person(place.deputyId) : undefined;
    return deputy && deputy.status === 'active' && !deputy.onLeave ? deputy.id : place.id;
  }

  /** The same for a task: only a deputy who was one when it began, and ever since. */
  sitsIn(place: Person, task: ModelTask): string {
    const deputy = this.sitsFor(place);
    const wasDeputy = this.since(task).every((then) => {
      const [person, stand] = [then.find(({ id }) => id === place.id), then.find(({ id }) => id === deputy)];
      const isAway = person?.status === 'active' && person.onLeave && person.deputyId === deputy;
      return isAway && stand?.status === 'active';
    });
    return wasDeputy ? deputy : place.id;
  }

  since({ began }: ModelTask): Person[][] {
    return began === null ? [] : this.past.slice(began);
  }

  /** A member decides only on tasks that were opened when the member could already decide. */
  couldAllAlong(id: string, place: Person, of: ModelTask, { people: named, roles }: ModelNode): boolean {
    return this.since(of).every((then) => {
      const [person, seat] = [then.find((each) => each.id === id), then.find((each) => each.id === place.id)];
      if (person?.status !== 'active' || seat?.status !== 'active') return false;
      if (person.quotaUsd !== null && of.cents >= BigInt(person.quotaUsd) * 100n) return false;
      if (!named.includes(seat.id) && !roles.includes(seat.roleId)) return false;
      return id === place.id || (seat.onLeave && seat.deputyId === id);
    });
  }

  /** The places at a node that a person could take for a task. */
  placesFor(id: string, of: ModelTask, node: ModelNode): Person[] {
    const { initiator, acts } = of;
    return this.staff()
      .filter((place) => place.status === 'active')
      .filter((place) => node.people.includes(place.id) || node.roles.includes(place.roleId))
      .filter((place) => place.id !== initiator && this.sitsIn(place, of) === id)
      .filter((place) => !acts.some((act) => act.by === place.id || act.place === place.id))
      .filter((place) => this.couldAllAlong(id, place, of, node));
  }

  mayDecide(id: string, of: ModelTask): boolean {
    const person = this.person(id);
    const current = of.nodes[of.node];
    if (of.state !== 'pending' || !person || !current || id === of.initiator) return false;
    // A transfer whose initiator has left waits for an administrator.
    if (of.began !== null && this.person(of.initiator)?.status !== 'active') return false;
    if (person.status !== 'active' || !person.permissions.includes('approval.decide')) return false;
    if (of.acts.some((act) => act.by === id || act.place === id)) return false;
    if (person.quotaUsd !== null && of.cents >= BigInt(person.quotaUsd) * 100n) return false;
    return this.placesFor(id, of, current).length > 0;
  }

  /** Whether the whole chain could be passed, by trying everybody everywhere. */
  couldPass(of: ModelTask): boolean {
    const current = of.nodes[of.node];
    if (!current) return true;
    const done = of.acts.filter((act) => act.node === of.node).length;
    if (done >= current.needed) return this.couldPass({ ...of, node: of.node + 1 });
    return this.staff().some((person) => {
      if (!this.mayDecide(person.id, of)) return false;
      const place = this.placesFor(person.id, of, current)[0];
      if (!place) return false;
      return this.couldPass({ ...of, acts: [...of.acts, { by: person.id, place: place.id, node: of.node }] });
    });
  }

  ruleFor(cents: bigint): ModelRule | undefined {
    return this.rules.find(({ lower, upper }) => cents >= lower && (upper === null || cents < upper));
  }

  decide(id: string, of: ModelTask, approve: boolean): boolean {
    if (!this.mayDecide(id, of)) return false;
    if (of.tampered) {
      of.state = 'voided';
      return false;
    }
    if (!approve) {
      of.state = 'rejected';
      return true;
    }
    if (of.forbidden) {
      of.state = 'stopped';
      return false;
    }
    const current = of.nodes[of.node] as ModelNode;
    const places = this.placesFor(id, of, current);
    const place = places.find((each) => each.id === id) ?? (places[0] as Person);
    of.acts.push({ by: id, place: place.id, node: of.node });
    if (of.acts.filter((act) => act.node === of.node).length < current.needed) return true;
    if (of.node + 1 === of.nodes.length) of.state = 'approved';
    else of.node += 1;
    return true;
  }
}
