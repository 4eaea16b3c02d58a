import type { ApprovalContent } from '@causeway/contract/approvals.ts';
import type { ExchangeSide } from '@causeway/contract/exchange-rules.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount, sayAmount } from '@causeway/contract/money.ts';
import type { Seal } from '../../../platform/crypto/seal.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { sayInstant } from '../../../platform/text/instant.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { ApprovalSubject, TaskSnapshot } from '../../approvals/index.ts';
import { nameOfPlace, type PlaceNames } from '../../banks/index.ts';
import { approvalEnds, recheckRisk, riskEvidence } from '../../outgoing/index.ts';
import { exchangeDigest, fixedAmountOf } from '../domain.ts';
import { exchangeKinds } from '../kind.ts';
import { type ExchangeRow, readExchange } from '../store/exchanges.ts';
import { executeApproved } from './execute.ts';
import { priceOf } from './price-of.ts';

/** What an exchange's task keeps of it, as it was submitted; amounts in minor units, as text. */
export interface ExchangeTask {
  fixed: ExchangeSide;
  sellPlace: PlaceNames;
  buyPlace: PlaceNames;
  buyAsset: string;
  buyDecimals: number;
  feeMinor: string;
  boughtMinor: string;
  boundMinor: string;
  limit: { rate: string; until: string } | null;
  rate: string;
  sources: string[];
  ratedAt: string;
  notes: string;
}

/** As `openTask` was given it. */
function contentOf({ content }: Pick<TaskSnapshot, 'content'>): ExchangeTask {
  return content as unknown as ExchangeTask;
}

/**
 * What an exchange is to its approvers (docs/adr/0035, 0057). `seal`: of the process in which tasks are decided, which seals what the last
 * approval executes; null where they are only read or ended.
 */
export function createExchangeSubject(seal: Seal | null): ApprovalSubject {
  return {
    kind: 'exchange',
    shape: 'exchange',
    adoptable: true,
    changesControls: false,
    auditKind: 'transaction',
    notices: 'exchangeApproval',
    locks: ['freezes'],
    initiation: 'exchange.create',
    name: (task, locale) =>
      translate(locale, 'exchange.task', { sold: task.coin ?? '', bought: contentOf(task).buyAsset }),
    noticeValues: (task) => ({ bought: contentOf(task).buyAsset }),
    brief(task, locale, timeZone) {
      const { sellPlace, buyPlace, limit } = contentOf(task);
      const say = (name: string, value: string) => ({ label: translate(locale, `exchange.task.${name}`), value });
      return {
        party: null,
        facts: [
          say('bound', sayBound(task, locale)),
          ...(limit
            ? [say('limitRate', limit.rate), say('limitUntil', sayInstant({ at: limit.until, timeZone }, locale))]
            : []),
          say('from', nameOfPlace(sellPlace, locale)),
          say('to', nameOfPlace(buyPlace, locale)),
        ],
      };
    },
    content: (tx, task, { locale }) => describeTask(tx, task, locale),
    link: ({ subjectId }, locale) => ({
      path: `/app/transaction/${subjectId}`,
      text: translate(locale, 'exchange.task.open'),
    }),
    auditDetail: () => ({}),
    async digest(tx, id) {
      const exchange = await readExchange(tx, id);
      return exchange && digestOf(exchange);
    },
    recheck: (tx, id) => recheckRisk(tx, exchangeKinds.crypto, id),
    ...approvalEnds(exchangeKinds.crypto),
    async withdrawn(tx, context, task) {
      const exchange = await readExchange(tx, task.subjectId);
      invariant(exchange, 'a task of an exchange has its exchange');
      return approvalEnds(exchange.sell.isCoin ? exchangeKinds.crypto : exchangeKinds.fiat).withdrawn(
        tx,
        context,
        task,
      );
    },
    async approved(tx, id) {
      invariant(seal, 'an exchange is approved where it can be sealed');
      await executeApproved(tx, seal, id);
    },
  };
}

function digestOf(exchange: ExchangeRow): string {
  return exchangeDigest({
    companyId: exchange.companyId,
    exchangeId: exchange.id,
    sellWalletId: exchange.sell.walletId,
    buyWalletId: exchange.buy.walletId,
    fixed: exchange.fixed,
    amountMinor: fixedAmountOf(exchange),
    boundMinor: exchange.boundMinor,
    limit: exchange.limit,
    notes: exchange.notes,
  });
}

/** "At least 995.00 USDT", or the most that leaves. */
function sayBound(task: TaskSnapshot, locale: Locale): string {
  const { fixed, boundMinor, buyAsset, buyDecimals } = contentOf(task);
  const [asset, decimals] = fixed === 'sell' ? [buyAsset, buyDecimals] : [task.coin ?? '', task.decimals ?? 0];
  const amount = `${sayAmount(BigInt(boundMinor), decimals)} ${asset}`;
  return translate(locale, `exchange.task.bound.${fixed}`, { amount });
}

async function describeTask(tx: Tx, task: TaskSnapshot, locale: Locale): Promise<ApprovalContent> {
  const content = contentOf(task);
  const { fixed, buyAsset, buyDecimals, rate, sources, ratedAt, notes } = content;
  const decimals = task.decimals ?? 0;
  const inSold = (minor: bigint) => formatAmount(minor, decimals);
  const inBought = (minor: bigint) => formatAmount(minor, buyDecimals);
  const soldMinor = task.amountMinor ?? 0n;
  const feeMinor = BigInt(content.feeMinor);
  const boundMinor = BigInt(content.boundMinor);
  const exchange = await readExchange(tx, task.subjectId);
  invariant(exchange, 'a task of an exchange has its exchange');
  return {
    shape: 'exchange',
    fixed,
    sell: {
      asset: task.coin ?? '',
      decimals,
      placeName: nameOfPlace(content.sellPlace, locale),
      quantity: inSold(soldMinor),
      fee: inSold(feeMinor),
      total: inSold(soldMinor + feeMinor),
    },
    buy: {
      asset: buyAsset,
      decimals: buyDecimals,
      placeName: nameOfPlace(content.buyPlace, locale),
      quantity: inBought(BigInt(content.boughtMinor)),
    },
    bound: fixed === 'sell' ? inBought(boundMinor) : inSold(boundMinor),
    limit: content.limit,
    rate,
    sources,
    ratedAt,
    now: exchange.status === 'pending' ? await priceOf(tx, exchange) : null,
    notes,
    balance: balanceOf(exchange),
    risk: await riskEvidence(tx, task.subjectId, locale),
  };
}

function balanceOf({ status, sell, fixed, soldMinor, feeMinor, boundMinor, availableMinor }: ExchangeRow) {
  if (status !== 'pending') return null;
  const held = fixed === 'sell' ? soldMinor + feeMinor : boundMinor;
  const say = (minor: bigint) => formatAmount(minor, sell.decimals);
  return { coin: sell.asset, decimals: sell.decimals, before: say(availableMinor + held), after: say(availableMinor) };
}
