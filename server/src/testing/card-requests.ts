import { setCardRule } from '@causeway/contract/cards-limits.ts';
import { addCardReceipt } from '@causeway/contract/cards-payments.ts';
import type { CardKind } from '@causeway/contract/cards-rules.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { addDepartment } from '@causeway/contract/organisation.ts';
import { takeInEvents } from '../features/cards/service/take-in.ts';
import { writeIssuerCard } from '../features/cards/store/cards.ts';
import { findPurchase } from '../features/cards/store/purchases.ts';
import { newId } from '../platform/ids.ts';
import { creditAtBank } from './banks.ts';
import { asking, eventOf, insertTestCard, testShipTo } from './cards.ts';
import type { MainApp, Member, Request, Tenant } from './main-app.ts';
import { walletAtBank } from './recharge-requests.ts';
import { succeed } from './succeed.ts';

/** Requests about company cards, each of which succeeds. */
export function cardRequests(
  attach: (world: MainApp, tenant: Tenant) => Promise<string>,
): Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> {
  const bounds = {
    limits: { each: '100', day: '200', month: null, total: null },
    categories: null,
    countries: null,
    online: true,
  };
  const carded = async (world: MainApp, tenant: Tenant, as: Member = tenant.admin, kind: CardKind = 'virtual') => {
    const walletId = await walletAtBank(world, tenant);
    const card = await insertTestCard(world.db, tenant, walletId, { holderId: as.session.userId, kind });
    return { as, walletId, ...card };
  };
  /** A card that has paid, without a receipt. */
  const paid = async (world: MainApp, tenant: Tenant) => {
    const card = await carded(world, tenant);
    await creditAtBank(world.db, tenant.id, card.walletId, 10_000n);
    const asked = asking(card);
    await takeInEvents(world.db.app, [eventOf(asked, { amountMinor: 1_000n })]);
    return { ...card, paymentId: await paymentOf(world, tenant, asked.purchaseToken) };
  };
  const of = async (world: MainApp, tenant: Tenant, body: object = {}) => {
    const { as, cardId } = await carded(world, tenant);
    return { as, body: { id: cardId, ...body } };
  };
  const rule = async (world: MainApp, tenant: Tenant) => {
    await walletAtBank(world, tenant);
    const scopeId = newId();
    const department = { id: scopeId, name: `Sales ${scopeId}`, parentId: null };
    await succeed(world, addDepartment, { as: tenant.admin, body: department });
    return { scope: 'department', scopeId, asset: 'HKD', ...bounds };
  };
  const period = { from: '2026-01-01', to: '2026-12-31' };
  return {
    listCards: async (world, tenant) => {
      const { as, walletId } = await carded(world, tenant);
      return { as, query: { walletId, holderId: as.session.userId } };
    },
    getCard: async (world, tenant) => {
      const { as, cardId } = await carded(world, tenant);
      return { as, params: { id: cardId } };
    },
    issueCard: async (world, tenant) => {
      const walletId = await walletAtBank(world, tenant);
      const body = {
        id: newId(),
        kind: 'physical',
        holderId: tenant.admin.session.userId,
        name: 'Travel',
        walletId,
        ...bounds,
      };
      return { as: tenant.admin, body: { ...body, validUntil: null, shipTo: testShipTo } };
    },
    changeCard: (world, tenant) => of(world, tenant, { name: 'Travel', ...bounds, validUntil: null }),
    freezeCard: (world, tenant) => of(world, tenant, { note: 'lost it' }),
    unfreezeCard: (world, tenant) => of(world, tenant),
    activateCard: async (world, tenant) => {
      const { as, cardId, token } = await carded(world, tenant);
      const made = {
        token,
        state: 'open',
        isActivated: false,
        lastFour: '4242',
        expires: '2031-12',
        shipping: null,
      } as const;
      await world.db.app.withCompany(tenant.id, (tx) => writeIssuerCard(tx, cardId, made, 'inactive'));
      return { as, body: { id: cardId, lastFour: '4242' } };
    },
    replaceCard: async (world, tenant) => {
      const { as, cardId } = await carded(world, tenant, tenant.admin, 'physical');
      return { as, body: { id: cardId, newId: newId(), reason: 'lost', shipTo: testShipTo } };
    },
    closeCard: (world, tenant) => of(world, tenant, { note: '' }),
    revealCard: async (world, tenant) => {
      // A member of their own, whose codes are not yet counted.
      const { as, cardId } = await carded(world, tenant, await world.member(tenant, 'administrator'));
      await succeed(world, sendUserCode, {
        as,
        body: { scenario: 'transaction', subject: { kind: 'card', content: { cardId } } },
      });
      return { as, body: { cardId, codeMethod: 'email', code: await world.takeCode() } };
    },
    listCardRules: async (_, { admin }) => ({ as: admin }),
    setCardRule: async (world, tenant) => ({ as: tenant.admin, body: await rule(world, tenant) }),
    removeCardRule: async (world, tenant) => {
      const { id } = (await succeed(world, setCardRule, { as: tenant.admin, body: await rule(world, tenant) })).data;
      return { as: tenant.admin, body: { id } };
    },
    listCardPayments: async (world, tenant) => {
      const { as, cardId } = await paid(world, tenant);
      return { as, query: { cardId } };
    },
    getCardStatement: async (world, tenant) => {
      const { as, cardId } = await paid(world, tenant);
      return { as, params: { id: cardId }, query: { ...period, format: 'csv' } };
    },
    uploadCardReceipt: async (_, { admin }) => ({
      as: admin,
      upload: { name: 'receipt.pdf', content: Buffer.from('%PDF-1.7\n%%EOF\n') },
    }),
    addCardReceipt: async (world, tenant) => {
      const { as, paymentId } = await paid(world, tenant);
      return { as, body: await receiptOf(world, tenant, paymentId) };
    },
    removeCardReceipt: async (world, tenant) => {
      const { as, id } = await withReceipt(world, tenant);
      return { as, body: { id } };
    },
    waiveCardReceipt: async (world, tenant) => {
      const { as, paymentId } = await paid(world, tenant);
      return { as, body: { paymentId, note: 'parking meter' } };
    },
    exportCardReceipts: async (_, { admin }) => ({ as: admin, query: period }),
    exportCardReceiptFiles: async (_, { admin }) => ({ as: admin, query: period }),
    getCardPayment: async (world, tenant) => {
      const { as, paymentId } = await paid(world, tenant);
      return { as, params: { id: paymentId } };
    },
    countMissingCardReceipts: async (_, { admin }) => ({ as: admin }),
    downloadCardReceipt: async (world, tenant) => {
      const { as, id } = await withReceipt(world, tenant);
      return { as, params: { id } };
    },
    replaceCardReceipt: async (world, tenant) => {
      const { as, id } = await withReceipt(world, tenant);
      return { as, body: { id, newId: newId(), fileId: await attach(world, tenant) } };
    },
  };

  async function withReceipt(world: MainApp, tenant: Tenant): Promise<{ as: Member; id: string }> {
    const { as, paymentId } = await paid(world, tenant);
    const body = await receiptOf(world, tenant, paymentId);
    await succeed(world, addCardReceipt, { as, body });
    return { as, id: body.id };
  }

  async function receiptOf(world: MainApp, tenant: Tenant, paymentId: string) {
    return { id: newId(), fileId: await attach(world, tenant), paymentId, amount: null, date: null, merchant: '' };
  }
}

async function paymentOf({ db }: MainApp, tenant: Tenant, token: string): Promise<string> {
  const purchase = await db.app.withCompany(tenant.id, (tx) => findPurchase(tx, token));
  if (!purchase) throw new Error('the purchase is there');
  return purchase.id;
}
