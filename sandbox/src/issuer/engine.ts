import { refusalOf } from './cards.ts';
import { CURRENCIES } from './currencies.ts';
import { APPROVED, type Decision, decide, drafted, expireDue, increment, type Purchase } from './lifecycle.ts';
import { newSecret } from './messages.ts';
import { type Card, cardAt, IssuerRefusal, type IssuerStore, type Reader, settingsOf } from './model.ts';
import { isPan } from './numbers.ts';
import { askResponder, declined } from './responder.ts';
import type { IssuerSecrets } from './secrets.ts';

/** Purchases that are asked for: the programme answers while no change of the store is under way. */
export type Engine = {
  /** @returns the transaction's token, approved or not */
  authorize(card: Readonly<Card>, wish: Purchase): Promise<string>;
  /** A further amount of a purchase that is held. @throws IssuerRefusal 400, 404 */
  increase(token: string, amount: number): Promise<string>;
  /** Lets old holds go. */
  tick(): Promise<void>;
};

/** The programme is asked for what it pays; credits are taken for it. */
const ASKED = ['AUTHORIZATION', 'FINANCIAL_AUTHORIZATION', 'BALANCE_INQUIRY'];
const SECRET_OVERLAP_MS = 24 * 3_600_000;

export function createEngine(store: IssuerStore, asaTimeoutMs: () => number): Engine {
  async function decisionOf(draft: ReturnType<typeof drafted>): Promise<Decision> {
    const { transaction, step } = draft;
    const card = cardAt(store, transaction.card);
    const refusal = refusalOf(store, card, { amount: step.amount, isOnline: transaction.isOnline }, step.at);
    if (refusal !== null) return declined(refusal.result, refusal.detailedResult, null);
    if (!ASKED.includes(step.type)) return APPROVED;
    return askResponder(store, { card, transaction, step }, asaTimeoutMs());
  }

  async function run(draft: ReturnType<typeof drafted>): Promise<string> {
    const decision = await decisionOf(draft);
    await store.change((tx) => decide(tx, draft, decision));
    return draft.transaction.token;
  }

  return {
    async authorize(card, wish) {
      if (wish.type === 'BALANCE_INQUIRY' && wish.amount !== 0)
        throw new IssuerRefusal(400, 'A balance inquiry is of 0.');
      const { merchantCurrency } = wish;
      if (merchantCurrency !== undefined && !(CURRENCIES as readonly string[]).includes(merchantCurrency))
        throw new IssuerRefusal(400, `${merchantCurrency} is not offered.`);
      return run(drafted(card, wish, Date.now()));
    },
    increase: async (token, amount) => run(increment(store, token, amount, Date.now())),
    tick: () => store.change((tx) => expireDue(tx, Date.now())),
  };
}

/** @throws IssuerRefusal 400, 404 */
export function cardByPan(read: Reader, pan: string): Readonly<Card> {
  if (!isPan(pan)) throw new IssuerRefusal(400, 'Invalid parameter(s): pan');
  const card = read.all('cards').find((each) => each.pan === pan);
  if (card === undefined) throw new IssuerRefusal(404, 'Could not find card.');
  return card;
}

/** What the programme is set to: where it is asked and told. Its secrets are those of the first start until one is changed. */
export async function prepare(
  store: IssuerStore,
  {
    responderUrl,
    eventsUrl,
    secrets,
  }: { responderUrl: string | null; eventsUrl: string | null; secrets: IssuerSecrets },
): Promise<void> {
  await store.change((tx) => {
    const known = tx.get('settings', 'now');
    const usual = {
      responderSecret: secrets.responder,
      previousResponderSecret: null,
      delivery: 'on' as const,
    };
    tx.put('settings', 'now', { ...usual, ...known, responderUrl: responderUrl ?? known?.responderUrl ?? null });
    if (eventsUrl === null) return;
    const first = tx.all('subscriptions')[0];
    const made = { token: 'ep_causeway', description: 'Causeway', isDisabled: false, secret: secrets.events };
    const subscription = { eventTypes: null, ...made, ...first, url: eventsUrl };
    tx.put('subscriptions', subscription.token, subscription);
  });
}

/** A new secret for requests to the responder; the one before signs beside it for a day. */
export async function rotateResponderSecret(store: IssuerStore, now: number): Promise<void> {
  await store.change((tx) => {
    const settings = settingsOf(tx);
    const previous = { secret: settings.responderSecret, until: now + SECRET_OVERLAP_MS };
    tx.put('settings', 'now', { ...settings, responderSecret: newSecret(), previousResponderSecret: previous });
  });
}
