/** Places in the migrations where money or the fence between companies rests on one line, each with a way to break it. */

export interface SqlMutation {
  /** Under server/migrations. */
  file: string;
  /** Occurs once in the file. */
  from: string;
  to: string;
  /** The tests that must fail. */
  tests: readonly string[];
  /** What the line guards. */
  guards: string;
}

const ledger = [
  'server/src/features/ledger/guarantees.test.ts',
  'server/src/features/ledger/store.test.ts',
  'server/src/features/ledger/ledger.property.test.ts',
];
const fences = ['server/src/proof/fences.test.ts', 'server/src/platform/database/database.test.ts'];
const speed = '0013_ledger_speed.sql';

export const mutations: readonly SqlMutation[] = [
  {
    file: speed,
    from: "p_normal = 'credit' and p_balance < 0 or",
    to: 'false or',
    tests: ledger,
    guards: 'a credit account does not fall below nothing',
  },
  {
    file: speed,
    from: " or p_normal = 'debit' and p_balance > 0",
    to: '',
    tests: ledger,
    guards: 'a debit account does not rise above nothing',
  },
  {
    file: speed,
    from: 'v_low.asset_id = v_high.asset_id and p_amounts[1] + p_amounts[2] = 0',
    to: 'p_amounts[1] + p_amounts[2] = 0',
    tests: ledger,
    guards: 'two legs are of one asset',
  },
  {
    file: speed,
    from: 'p_amounts[1] + p_amounts[2] = 0 and cardinality(p_amounts) = 2',
    to: 'cardinality(p_amounts) = 2',
    tests: ledger,
    guards: 'two legs sum to zero',
  },
  {
    file: speed,
    from: 'and not ledger_is_broken(v_low.normal, v_low.balance)',
    to: '',
    tests: ledger,
    guards: 'the lower of two legs keeps its sign',
  },
  {
    file: speed,
    from: ' and not ledger_is_broken(v_high.normal, v_high.balance)',
    to: '',
    tests: ledger,
    guards: 'the higher of two legs keeps its sign',
  },
  {
    file: speed,
    from: 'exists (select from moved group by asset_id having sum(amount) <> 0)',
    to: 'false',
    tests: ledger,
    guards: 'more than two legs sum to zero',
  },
  {
    file: speed,
    from: 'select bool_or(ledger_is_broken(normal, balance)), exists',
    to: 'select false, exists',
    tests: ledger,
    guards: 'more than two legs keep their signs',
  },
  {
    file: speed,
    from: 'if v_locked = 0 or v_locked <> cardinality(p_accounts) then',
    to: 'if v_locked = 0 then',
    tests: ledger,
    guards: 'a posting locks every account that it names',
  },
  {
    file: speed,
    from: 'if not exists (select from ledger_posting where company_id = v_company and id = p_corrects_id) then',
    to: 'if false then',
    tests: ledger,
    guards: 'a correction points to a posting of its company',
  },
  {
    file: speed,
    from: 'exists (select from leg group by item, asset_id having sum(amount) <> 0), bool_or',
    to: 'false, bool_or',
    tests: ledger,
    guards: 'an item of a batch sums to zero',
  },
  {
    file: speed,
    from: '  if v_is_broken then\n    raise',
    to: '  if false then\n    raise',
    tests: ledger,
    guards: 'an item of a batch keeps its signs',
  },
  {
    file: speed,
    from: 'filter (where ledger_is_broken(r.normal, r.balance)) into v_broken',
    to: 'filter (where false) into v_broken',
    tests: ledger,
    guards: 'a batch refuses the item that would break a balance',
  },
  {
    file: speed,
    from: 'select array_agg(i.turn = 1 and p.id is null order by i.item)',
    to: 'select array_agg(i.turn = 1 order by i.item)',
    tests: ledger,
    guards: 'a batch posts no source twice',
  },
  {
    file: speed,
    from: 'select array_agg(i.turn = 1 and p.id is null order by i.item)',
    to: 'select array_agg(p.id is null order by i.item)',
    tests: ledger,
    guards: 'a batch posts no source twice within itself',
  },
  {
    file: speed,
    from: 'check (value <> 0)',
    to: 'check (true)',
    tests: ledger,
    guards: 'no entry is of nothing',
  },
  {
    file: '0001_platform_base.sql',
    from: 'with check (company_id = (select causeway.company_id()))',
    to: 'with check (true)',
    tests: fences,
    guards: 'a company writes no rows of another',
  },
  {
    file: '0001_platform_base.sql',
    from: 'using (company_id = (select causeway.company_id()))',
    to: 'using (true)',
    tests: fences,
    guards: 'a company reads no rows of another',
  },
  {
    file: '0001_platform_base.sql',
    from: "execute format('alter table %s force row level security', target);",
    to: '',
    tests: fences,
    guards: 'the fence holds for the owner of the tables',
  },
  {
    file: '0014_transfers_trigram.sql',
    from: "v_where text := format('t.company_id = %L::uuid', company_id());",
    to: "v_where text := 'true';",
    tests: ['server/src/proof/tenancy.test.ts', 'server/src/features/transactions/store/search.test.ts'],
    guards: 'a search finds the company’s own transactions only',
  },
  {
    file: '0030_approvals_base.sql',
    from: 'create trigger append_only before update or delete or truncate on causeway.approval_decision',
    to: 'create trigger append_only before truncate on causeway.approval_decision',
    tests: fences,
    guards: 'a decision is never changed',
  },
];
