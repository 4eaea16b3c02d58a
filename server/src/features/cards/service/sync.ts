import type { Database, Tx } from '../../../platform/database/database.ts';
import type { JobDefinition } from '../../../platform/jobs/jobs.ts';
import { findPeople } from '../../organisation/index.ts';
import { cardEvents } from '../events.ts';
import { type CardIssuer, type IssuerCardState, IssuerRefusedError } from '../issuer.ts';
import { addStep, type CardStateRow, failCard, findCardState, lockCard } from '../store/cards.ts';
import { followCard } from './made.ts';

/**
 * Brings the issuer to what a card is here: makes it, activates, pauses, opens or closes it. What is asked is safe to repeat, so a job that was killed is run again; the
 * issuer is asked with no transaction open. Our own authorisation does not wait for it.
 */
export function syncCardJob(issuer: CardIssuer | null): JobDefinition {
  return {
    name: 'cards.sync',
    on: [cardEvents.changed],
    queue: (_, { cardId }) => `card ${String(cardId)}`,
    async run({ companyId, database }, { cardId }) {
      if (issuer !== null) await syncCard(database, issuer, companyId, String(cardId));
    },
  };
}

export async function syncCard(
  database: Database,
  issuer: CardIssuer,
  companyId: string,
  cardId: string,
): Promise<void> {
  const read = (tx: Tx) => readForIssuer(tx, cardId);
  let wanted = await database.withCompany(companyId, read);
  if (!wanted) return;
  if (wanted.card.issuerToken === null) {
    // Closed before it was made: nothing is ordered.
    if (wanted.card.state !== 'ordered') return;
    if (!(await make(database, issuer, companyId, wanted))) return;
    wanted = await database.withCompany(companyId, read);
    if (!wanted) return;
  }
  const { card } = wanted;
  const token = card.issuerToken;
  if (token === null) return;
  const state = stateFor(card);
  if (card.kind === 'physical' && card.state === 'active' && !(await isActivated(issuer, token)))
    await issuer.activate(token);
  // To pause and open again what waits for its holder would activate it at the issuer. It is declined here meanwhile.
  if (card.state === 'inactive' || card.issuerState === state) return;
  const said = await issuer.setState(token, state);
  await database.withCompany(companyId, (tx) => followCard(tx, { id: cardId }, said));
}

function stateFor(card: CardStateRow): IssuerCardState {
  if (card.state === 'closed') return 'closed';
  return card.frozenBy === null ? 'open' : 'paused';
}

async function isActivated(issuer: CardIssuer, token: string): Promise<boolean> {
  return (await issuer.readCard(token))?.isActivated ?? true;
}

interface Wanted {
  card: CardStateRow;
  holderName: string;
  /** The issuer's name of the card that it replaces. */
  replaces: string | null;
}

async function readForIssuer(tx: Tx, id: string): Promise<Wanted | null> {
  const card = await findCardState(tx, { id });
  if (!card) return null;
  const [holder] = await findPeople(tx, [card.holderId]);
  const before = card.replacesId === null ? null : await findCardState(tx, { id: card.replacesId });
  return { card, holderName: holder?.name ?? '', replaces: before?.issuerToken ?? null };
}

/** @returns false where the issuer refuses for good */
async function make(database: Database, issuer: CardIssuer, companyId: string, wanted: Wanted): Promise<boolean> {
  const { card, holderName, replaces } = wanted;
  try {
    const made = await issuer.issue({
      ...{
        id: card.id,
        kind: card.kind,
        name: card.name,
        holderName,
        currency: card.asset,
        shipTo: card.shipTo,
        replaces,
      },
    });
    await database.withCompany(companyId, (tx) => followCard(tx, { id: card.id }, made));
    return true;
  } catch (error) {
    if (!(error instanceof IssuerRefusedError)) throw error;
    await database.withCompany(companyId, async (tx) => {
      await lockCard(tx, card.id);
      await failCard(tx, card.id, error.reason);
      await addStep(tx, card.id, { step: 'failed', note: error.reason.slice(0, 200) });
    });
    return false;
  }
}
