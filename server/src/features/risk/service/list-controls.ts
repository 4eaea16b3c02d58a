import type { Body } from '@causeway/contract/call.ts';
import type { ControlKind } from '@causeway/contract/control-rules.ts';
import type {
  addListEntry,
  editListEntry,
  ListEntry,
  RiskSetting,
  setRiskSetting,
} from '@causeway/contract/risk-lists.ts';
import type { ListAccountType, ListKind } from '@causeway/contract/risk-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { ChainFamilies } from '../../chains/index.ts';
import type { ControlOperation, ControlState, Shown } from '../../organisation/index.ts';
import { accountKey } from '../accounts.ts';
import { lockCompany } from '../store/judging.ts';
import { type EntryRow, findEntry, findListed, type NewEntry, readSetting } from '../store/lists.ts';
import { limitCents, shownLimits, usdOf } from './figures.ts';
import { addEntries, addEntry, editEntry, refuseTaken, removeEntry, setSetting, today } from './lists.ts';

/**
 * Changes of the lists as operations that may need a second person. The black list grows and limits fall at once; the white list grows
 * and limits rise by consent (docs/FOUR_EYES.md).
 */

type Change<T extends object> = Omit<ControlOperation<T>, 'permission' | 'lock' | 'make'> & {
  permission?: ControlOperation<T>['permission'];
  make: (...args: Parameters<ControlOperation<T>['make']>) => Promise<T>;
  widens(tx: Tx): Promise<boolean>;
};

function operation<T extends object>({ make, widens, ...given }: Change<T>): ControlOperation<T> {
  return {
    permission: 'list.manage',
    ...given,
    lock: lockCompany,
    async make(tx, context) {
      const widening = await widens(tx);
      return { result: await make(tx, context), widensFor: widening ? [] : null };
    },
  };
}

async function entryState(tx: Tx, id: string): Promise<ControlState> {
  const entry = await findEntry(tx, id, await today(tx));
  const { onlyWhitelisted } = await readSetting(tx);
  if (entry?.status !== 'in_use') {
    return { subject: entry?.account ?? null, subjectId: id, fields: {}, basis: { entry: null, onlyWhitelisted } };
  }
  const fields = fieldsOf(entry.kind, entry.account, entry.remark, limitsOf(entry));
  return { subject: entry.account, subjectId: id, fields, basis: { fields, onlyWhitelisted } };
}

function limitsOf({ singleCents, dailyCents, cumulativeCents }: EntryRow) {
  if (singleCents === null || dailyCents === null || cumulativeCents === null) return null;
  return { single: usdOf(singleCents), daily: usdOf(dailyCents), cumulative: usdOf(cumulativeCents) };
}

function fieldsOf(
  kind: ListKind,
  account: string,
  remark: string,
  limits: { single: string; daily: string; cumulative: string } | null,
): Record<string, Shown> {
  return {
    list: { text: `control.value.${kind}` },
    account,
    remark,
    ...(limits ? { single: limits.single, daily: limits.daily, cumulative: limits.cumulative } : {}),
  };
}

export function addingEntry(families: ChainFamilies, given: Body<typeof addListEntry>): ControlOperation<ListEntry> {
  const body = { ...given, id: given.id ?? newId() };
  return operation({
    kind: 'addListEntry',
    input: body,
    state: (tx) => entryState(tx, body.id),
    make: (tx, context) => addEntry(tx, context, families, body),
    widens: async () => body.kind === 'white',
  });
}

export function editingEntry(families: ChainFamilies, body: Body<typeof editListEntry>): ControlOperation<ListEntry> {
  return operation({
    kind: 'editListEntry',
    input: body,
    state: (tx) => entryState(tx, body.id),
    make: (tx, context) => editEntry(tx, context, families, body),
    async widens(tx) {
      const before = await findEntry(tx, body.id, await today(tx));
      if (!before || body.limits === undefined) return false;
      const { single, daily, cumulative } = limitCents(body.limits);
      return (
        single > (before.singleCents ?? 0n) ||
        daily > (before.dailyCents ?? 0n) ||
        cumulative > (before.cumulativeCents ?? 0n)
      );
    },
  });
}

/** Off the black list an account can be paid; off the white list it has no limits, unless only that list may be paid. */
export function removingEntry(families: ChainFamilies, input: { id: string }): ControlOperation<object> {
  const { id } = input;
  return operation({
    kind: 'deleteListEntry',
    input: { id },
    state: (tx) => entryState(tx, id),
    async make(tx, context) {
      await removeEntry(tx, context, families, id);
      return {};
    },
    async widens(tx) {
      const entry = await findEntry(tx, id, await today(tx));
      return entry?.kind === 'black' || !(await readSetting(tx)).onlyWhitelisted;
    },
  });
}

export function changingRiskSetting(body: Body<typeof setRiskSetting>): ControlOperation<RiskSetting> {
  return operation({
    kind: 'setRiskSetting',
    permission: 'setting.manage',
    input: body,
    async state(tx) {
      const { onlyWhitelisted } = await readSetting(tx);
      const fields = { onlyWhitelisted: { text: onlyWhitelisted ? 'control.value.on' : 'control.value.off' } };
      return { subject: null, subjectId: null, fields, basis: fields };
    },
    make: (tx, context) => setSetting(tx, context, body),
    widens: async (tx) => (await readSetting(tx)).onlyWhitelisted && !body.onlyWhitelisted,
  });
}

/** Rows of a file, read and checked; amounts as text, so that they can be kept. */
export interface ImportedRows {
  kind: ListKind;
  rows: readonly (Omit<NewEntry, 'limits' | 'key'> & {
    payeeType: ListAccountType;
    limits: { single: string; daily: string; cumulative: string } | null;
  })[];
}

export function asImported(kind: ListKind, entries: readonly NewEntry[]): ImportedRows {
  const rows = entries.map(({ id, payeeType, account, remark, limits }) => ({
    id,
    payeeType,
    account,
    remark,
    limits: limits && shownLimits(limits),
  }));
  return { kind, rows };
}

/** How many rows of a file a task shows; it names the number of all. */
const maxShownRows = 200;

export function importingEntries(families: ChainFamilies, input: ImportedRows): ControlOperation<object> {
  const { kind, rows } = input;
  const entries = rows.map(
    (row): NewEntry => ({
      ...row,
      key: accountKey(families, row.payeeType, row.account),
      limits: row.limits && limitCents(row.limits),
    }),
  );
  return operation({
    kind: 'importNamelist',
    input: { kind, rows },
    async state(tx) {
      const listed = await findListed(
        tx,
        entries.map(({ payeeType, key }) => ({ type: payeeType, key })),
      );
      const isThere = (entry: NewEntry) => listed.get(`${entry.payeeType} ${entry.key}`) === kind;
      const present = entries.filter(isThere);
      const shown = present.slice(0, maxShownRows).map(({ account, limits }) => {
        const figures = limits && shownLimits(limits);
        return figures ? `${account}: ${figures.single} / ${figures.daily} / ${figures.cumulative}` : account;
      });
      const fields: Record<string, Shown> =
        present.length === 0
          ? {}
          : { list: { text: `control.value.${kind}` }, rows: present.length.toString(), entries: shown.join('\n') };
      return { subject: null, subjectId: null, fields, basis: present.map(({ account }) => account) };
    },
    async make(tx, context) {
      await refuseTaken(tx, entries, kind);
      await addEntries(tx, context, families, kind, entries);
      return {};
    },
    widens: async () => kind === 'white',
  });
}

type ListControls = Partial<
  Record<ControlKind, (input: ControlOperation<object>['input']) => ControlOperation<object>>
>;

export function listControls(families: ChainFamilies): ListControls {
  return {
    // What was proposed is what the contract had validated, as JSON.
    addListEntry: (input) => addingEntry(families, input as Parameters<typeof addingEntry>[1]),
    editListEntry: (input) => editingEntry(families, input as Parameters<typeof editingEntry>[1]),
    deleteListEntry: (input) => removingEntry(families, input as Parameters<typeof removingEntry>[1]),
    setRiskSetting: (input) => changingRiskSetting(input as Parameters<typeof changingRiskSetting>[0]),
    importNamelist: (input) => importingEntries(families, input as unknown as ImportedRows),
  };
}
