import { addBankPayee } from '@causeway/contract/bank-payees.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { fiatTransferOut, quoteCryptoPayment } from '@causeway/contract/payments.ts';
import { keepPrices } from '../features/rates/index.ts';
import { newId } from '../platform/ids.ts';
import { newBankAccount } from './bank-payee-requests.ts';
import { creditAtBank } from './banks.ts';
import { credit } from './company.ts';
import type { MainApp, Request, Tenant } from './main-app.ts';
import { keepTestMids } from './prices.ts';
import { walletAtBank } from './recharge-requests.ts';
import { succeed } from './succeed.ts';

/**
 * Of the calls about payments out of a bank: a request that succeeds, as in `validRequests`.
 * @param attach uploads a file of the tenant's and returns its id
 */
export function paymentRequests(
  attach: (world: MainApp, tenant: Tenant) => Promise<string>,
): Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> {
  const submitting = async (world: MainApp, tenant: Tenant, form: 'transfer' | 'payment') => {
    const content = await payoutContentOf(world, tenant, form, [await attach(world, tenant)]);
    // A member of its own, whose codes are not yet counted.
    const as = await world.member(tenant, 'administrator');
    await succeed(world, sendUserCode, {
      as,
      body: { scenario: 'transaction', subject: { kind: 'payout', content } },
    });
    const proof = { fee: '0', codeMethod: 'email', code: await world.takeCode() };
    const kind = form === 'payment' ? { kind: 'fiat_payout' } : {};
    return { as, body: { ...content, ...kind, invoiceNumber: 'INV-7', category: 'Rent', ...proof } };
  };
  return {
    fiatTransferOut: (world, tenant) => submitting(world, tenant, 'transfer'),
    createPayment: (world, tenant) => submitting(world, tenant, 'payment'),
    foreseePayout: async (world, tenant) => {
      const { walletId, payeeId } = await payoutContentOf(world, tenant, 'payment', []);
      return { as: tenant.admin, query: { form: 'payment', walletId, payeeId, amount: '12.50', remittance: 'Rent' } };
    },
    getCryptoPaymentOptions: async (world, tenant) => {
      const { payeeId } = await payoutContentOf(world, tenant, 'payment', []);
      return { as: tenant.admin, query: { payeeId } };
    },
    quoteCryptoPayment: async (world, tenant) => {
      const { versionId: _, ...body } = await coinsOf(world, tenant);
      return { as: tenant.admin, body };
    },
    createCryptoPayment: async (world, tenant) => {
      const as = await world.member(tenant, 'administrator');
      const { versionId, ...asked } = await coinsOf(world, tenant);
      const { data: quote } = await succeed(world, quoteCryptoPayment, { as, body: asked });
      const attachmentIds = [await attach(world, tenant)];
      const content = { id: newId(), ...asked, versionId, bound: quote.sell.total, attachmentIds, notes: 'rent' };
      const subject = { kind: 'cryptoPayout', content };
      await succeed(world, sendUserCode, { as, body: { scenario: 'transaction', subject } });
      const proof = { quoteId: quote.id, fee: '0', codeMethod: 'email', code: await world.takeCode() };
      const reference = { invoiceNumber: 'INV-7', category: 'Rent' };
      return { as, body: { ...content, kind: 'crypto_payout', ...reference, ...proof } };
    },
    cancelPayout: async (world, tenant) => {
      const request = await submitting(world, tenant, 'transfer');
      const { data } = await succeed(world, fiatTransferOut, request);
      return { as: request.as, body: { id: data.id } };
    },
  };
}

/** A payment out of the tenant's USDT. */
async function coinsOf(world: MainApp, tenant: Tenant) {
  const { walletId: bankWalletId, payeeId, versionId, amount } = await payoutContentOf(world, tenant, 'payment', []);
  await keepTestMids(world.db, { USDT: '1', HKD: '0.128' });
  await credit(world.db, tenant, 'USDT', 100_000_000n);
  return { walletId: tenant.wallets.USDT, bankWalletId, payeeId, versionId, amount, remittance: 'Invoice 7' };
}

async function payoutContentOf(
  world: MainApp,
  tenant: Tenant,
  form: 'transfer' | 'payment',
  attachmentIds: readonly string[],
) {
  const updatedAt = new Date(Date.now() + 365 * 86_400_000);
  await world.db.worker.withoutCompany((tx) =>
    keepPrices(tx, [{ asset: 'HKD', usd: '0.128', source: 'test', updatedAt }]),
  );
  const walletId = await walletAtBank(world, tenant);
  await creditAtBank(world.db, tenant.id, walletId, 100_000n);
  const body = { id: newId(), label: 'Bank supplier', ...newBankAccount() };
  const { account } = (await succeed(world, addBankPayee, { as: tenant.admin, body })).data;
  const content = { id: newId(), form, walletId, payeeId: body.id, versionId: account.id, amount: '12.50' };
  return { ...content, remittance: 'Invoice 7', notes: 'rent', attachmentIds: [...attachmentIds] };
}
