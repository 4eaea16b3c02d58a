import * as z from 'zod/mini';
import { call } from './call.ts';
import { chainId, id, instant, page, pageQuery, text } from './ids.ts';
import { outputStates } from './operator-outputs-rules.ts';

/** The outputs that companies and the treasury can spend on Bitcoin's chains. Part of the feature operator. */

export * from './operator-outputs-rules.ts';

/** A company, or the treasury, whose id is of no version. */
const ownerId = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'field.id'));
const part = z.object({ count: z.number(), quantity: z.string() });

/** What one owner has on one chain. Quantities in whole coins. */
export const outputSet = z.object({
  /** The company; the treasury has an id of its own. */
  companyId: ownerId,
  /** Empty for the treasury. */
  companyName: z.string(),
  chainId,
  chainName: z.string(),
  explorerUrl: z.nullable(z.string()),
  coin: z.string(),
  /** In a block, and spent by nothing that is known. */
  confirmed: part,
  /** In no block yet, and spent by nothing. */
  waiting: part,
  /** Spent by a transaction that no block has. */
  leaving: part,
  /** At or below the least that nodes forward as an output. */
  dust: z.number(),
  /** Worth no more than spending it costs at the present rate, dust among them; null while no rate is known. */
  small: z.nullable(z.number()),
  /** What spending one output costs at the present rate. */
  spendingCost: z.nullable(z.string()),
  oldestAt: z.nullable(instant),
  /** What blocks should hold by the ledger, of what is posted and of what blocks have and is not final; null for the treasury. */
  booked: z.nullable(z.string()),
  /** What blocks hold beyond that, signed. */
  difference: z.nullable(z.string()),
});
export type OutputSet = z.output<typeof outputSet>;

export const listOutputSets = call({
  name: 'listOutputSets',
  method: 'GET',
  path: '/operator/treasury/output-set',
  summary: 'By company and Bitcoin chain: how many outputs there are, what they sum to, and whether the ledger agrees.',
  access: 'operator.view',
  query: z.strictObject({ ...pageQuery, chain: z.optional(chainId), keyword: z.optional(text(128)) }),
  output: page(outputSet),
  errors: ['cursorInvalid'],
});

export const getOutputSet = call({
  name: 'getOutputSet',
  method: 'GET',
  path: '/operator/treasury/output-set/{chainId}/{companyId}',
  summary: 'The outputs of one company, or of the treasury, on one chain, summed.',
  access: 'operator.view',
  params: z.object({ chainId, companyId: ownerId }),
  output: outputSet,
  errors: ['notFound'],
});

const filters = {
  chainId,
  companyId: ownerId,
  /** A transaction's hash, or an address, in full. */
  keyword: z.optional(text(128)),
  state: z.optional(z.enum(outputStates)),
  /** Change of the company's own payments, or what others paid. */
  origin: z.optional(z.enum(['change', 'deposit'])),
  sort: z.optional(z.enum(['time', 'amount'])),
  order: z.optional(z.enum(['asc', 'desc'])),
};

export const listOutputs = call({
  name: 'listOutputs',
  method: 'GET',
  path: '/operator/treasury/output',
  summary:
    'The outputs of one owner on one chain that no block has spent, the oldest first. The keyword is a hash or an address in full.',
  access: 'operator.view',
  query: z.strictObject({ ...pageQuery, ...filters }),
  output: page(
    z.object({
      id: z.string(),
      hash: z.string(),
      index: z.number(),
      explorerUrl: z.nullable(z.string()),
      address: z.string(),
      quantity: z.string(),
      state: z.enum(outputStates),
      origin: z.enum(['change', 'deposit']),
      /** Worth no more than spending it costs at the present rate. */
      small: z.boolean(),
      block: z.nullable(z.number()),
      seenAt: instant,
      /** The payment that it is given to. */
      paymentId: z.nullable(id),
      spentBy: z.nullable(z.string()),
    }),
  ),
  errors: ['cursorInvalid', 'notFound'],
});

export const exportOutputs = call({
  name: 'exportOutputs',
  method: 'GET',
  path: '/operator/treasury/output/export',
  summary:
    'The filtered outputs as CSV (UTF-8 with byte order mark, formulas neutralised). The export is in the operator’s audit log.',
  access: 'operator.look',
  query: z.strictObject(filters),
  output: z.null(),
  answer: 'file',
  errors: ['notFound'],
});
