import { businesses } from '@causeway/contract/risk-rules.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { Affiliation } from '../../organisation/index.ts';
import { type Day, dayIn } from '../calendar.ts';
import { type DayUsage, type Inputs, type RiskSubject, type Ruleset, windowsAt } from '../domain.ts';
import { assetOf, type Part, partsOf } from '../parts.ts';
import type { Counted } from '../store/counts.ts';
import type { Asked, Counter, EntryStanding, OwnCount, Standing } from '../store/judging.ts';

/** What is known of a company while its transactions are judged. */
export interface CompanyTally {
  ruleset: Ruleset;
  rulesetVersion: number;
  onlyWhitelisted: boolean;
  /** The company's day. */
  day: Day;
  /** How many were counted since it was read. */
  counted: number;
}

/** What the windows, the list entries and the ids on record hold: as it was read, and with what was counted since. */
export class Tally {
  readonly #companies = new Map<string, CompanyTally>();
  readonly #entries = new Map<string, EntryStanding | null>();
  readonly #own = new Map<string, OwnCount | null>();
  readonly #affiliations = new Map<string, Affiliation>();
  /** By company, business, and whether of coins or of currencies, for each asset that is judged, the days. */
  readonly #usage = new Map<string, Map<string, Map<Day, DayUsage>>>();

  open(asked: Asked, read: { standing: Standing; ruleset: Ruleset; timeZone: string; affiliation: Affiliation }): void {
    const { standing, ruleset, timeZone, affiliation } = read;
    const { rulesetVersion, onlyWhitelisted, entry, own, atMicros } = standing;
    this.#entries.set(accountOf(asked), entry);
    this.#own.set(transactionOf(asked), own);
    this.#affiliations.set(transactionOf(asked), affiliation);
    if (this.#companies.has(asked.companyId)) return;
    const day = dayIn(timeZone, new Date(Math.floor(atMicros / 1000)));
    this.#companies.set(asked.companyId, { ruleset, rulesetVersion, onlyWhitelisted, day, counted: 0 });
  }

  openCounter({ companyId, business, kind, asset }: Counter, usage: readonly DayUsage[]): void {
    const key = `${companyId} ${business} ${kind}`;
    const assets = this.#usage.get(key) ?? new Map<string, Map<Day, DayUsage>>();
    this.#usage.set(key, assets);
    assets.set(asset, new Map(usage.map((each) => [each.day, each])));
  }

  companyOf(companyId: string): CompanyTally {
    return found(this.#companies.get(companyId));
  }

  ownOf(asked: Asked): OwnCount | null {
    return found(this.#own.get(transactionOf(asked)));
  }

  /** What a transaction is judged by; its own count, if it has one, is left out. */
  inputsOf(asked: Asked, subject: RiskSubject): Inputs {
    const { companyId } = asked;
    const { day, onlyWhitelisted } = this.companyOf(companyId);
    const entry = found(this.#entries.get(accountOf(asked)));
    const own = this.ownOf(asked);
    const counted = own?.isGivenBack ? null : own;
    const windowsOf = ({ kind, asset }: Part) => {
      const usage = found(this.#usage.get(`${companyId} ${subject.business} ${kind}`)?.get(asset));
      return windowsAt(day, [...usage.values()], counted && ownIn(counted, kind, asset));
    };
    const [part, coin] = partsOf(subject);
    return {
      subject,
      affiliation: found(this.#affiliations.get(transactionOf(asked))),
      windows: windowsOf(part),
      ...(coin && { coinWindows: windowsOf(coin) }),
      blackEntryId: entry?.kind === 'black' ? entry.id : null,
      whiteEntry: entry?.kind === 'white' ? whiteEntryOf(entry, day, counted) : null,
      onlyWhitelisted,
    };
  }

  /** What was counted today of a coin or currency by those businesses that counters were opened for; minor units. */
  countedToday(companyId: string, { kind, asset }: Part): bigint {
    const { day } = this.companyOf(companyId);
    let sum = 0n;
    for (const business of businesses) {
      const days = this.#usage.get(`${companyId} ${business} ${kind}`)?.get(asset);
      sum += days?.get(day)?.quantityMinor ?? 0n;
    }
    return sum;
  }

  /** Counts one that was let pass for those judged after it: in its windows, at its white entry, and as its id's own count. */
  count({ companyId, subject, day, whiteEntryId }: Counted, asked: Asked): void {
    const { quantityMinor, valueUsdCents: valueCents } = subject;
    this.companyOf(companyId).counted += 1;
    for (const part of partsOf(subject)) {
      for (const [asset, days] of found(this.#usage.get(`${companyId} ${subject.business} ${part.kind}`))) {
        const held = days.get(day) ?? { day, transactions: 0, quantityMinor: 0n, valueCents: 0n };
        days.set(day, {
          day,
          transactions: held.transactions + 1,
          quantityMinor: held.quantityMinor + (asset === part.asset ? part.quantityMinor : 0n),
          valueCents: held.valueCents + valueCents,
        });
      }
    }
    const entry = this.#entries.get(accountOf(asked));
    if (entry && entry.id === whiteEntryId) {
      entry.countedCents += valueCents;
      entry.countedOn.set(day, (entry.countedOn.get(day) ?? 0n) + valueCents);
    }
    const [, paid] = partsOf(subject);
    const coin = paid ? { asset: paid.asset, quantityMinor: paid.quantityMinor } : null;
    const of = { asset: assetOf(subject), quantityMinor, coin };
    const count = { day, ...of, valueCents, entryId: whiteEntryId, isGivenBack: false };
    this.#own.set(transactionOf(asked), count);
  }
}

/** What of an earlier count is in the windows of one kind, of which the quantities are those of an asset. */
function ownIn(own: OwnCount, kind: Part['kind'], asset: string) {
  const { day, valueCents, coin } = own;
  const [counted, quantityMinor] =
    kind === 'coin' && coin ? [coin.asset, coin.quantityMinor] : [own.asset, own.quantityMinor];
  return { day, valueCents, quantityMinor, sameAsset: counted === asset };
}

function whiteEntryOf(entry: EntryStanding, day: Day, own: OwnCount | null): NonNullable<Inputs['whiteEntry']> {
  const { id, singleCents, dailyCents, cumulativeCents, countedCents, countedOn } = entry;
  const isOwn = own !== null && own.entryId === id;
  return {
    id,
    singleCents,
    dailyCents,
    cumulativeCents,
    usedTodayCents: (countedOn.get(day) ?? 0n) - (isOwn && own.day === day ? own.valueCents : 0n),
    usedCents: countedCents - (isOwn ? own.valueCents : 0n),
  };
}

function accountOf({ companyId, accountKind, accountKey }: Asked): string {
  return `${companyId} ${accountKind} ${accountKey}`;
}

function transactionOf({ companyId, id }: Asked): string {
  return `${companyId} ${id}`;
}

/** What was not read is not taken for empty: a transaction would pass limits without being compared with them. */
function found<T>(known: T | undefined): T {
  invariant(known !== undefined, 'what is judged was read before');
  return known;
}
