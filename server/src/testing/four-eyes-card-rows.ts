import * as cards from '@causeway/contract/cards.ts';
import * as limits from '@causeway/contract/cards-limits.ts';
import { newId } from '../platform/ids.ts';
import type { Answer } from './envelope.ts';
import { type FourEyes, idOf, type Row } from './four-eyes.ts';
import { present } from './present.ts';
import { walletAtBank } from './recharge-requests.ts';
import { succeed } from './succeed.ts';

/** The rows of docs/FOUR_EYES.md about cards. */

const boundsOf = (each: string) => ({
  limits: { each, day: null, month: null, total: null },
  categories: null,
  countries: null,
  online: true,
});

async function issue(cell: FourEyes): Promise<Answer> {
  const { world, tenant, admin, ids } = cell;
  ids['card'] = newId();
  const walletId = await walletAtBank(world, tenant);
  const card = { id: ids['card'], kind: 'virtual', holderId: idOf(admin), name: 'Travel', walletId };
  return world.ask(cards.issueCard, {
    as: admin,
    body: { ...card, ...boundsOf('100'), validUntil: null, shipTo: null },
  });
}

const prepareCard = async (cell: FourEyes) => void (await issue(cell));

const change = ({ world, admin, ids }: FourEyes, each: string) =>
  world.ask(cards.changeCard, {
    as: admin,
    body: { id: present(ids['card']), name: 'Travel', ...boundsOf(each), validUntil: null },
  });

const setRule = ({ world, admin }: FourEyes, each: string) =>
  world.ask(limits.setCardRule, {
    as: admin,
    body: { scope: 'company', scopeId: null, asset: 'HKD', ...boundsOf(each) },
  });

const prepareRule = async (cell: FourEyes) => {
  const { data } = (await setRule(cell, '100')) as Answer<{ id: string }>;
  cell.ids['cardRule'] = present(data).id;
};

const ownLimit = async ({ world, admin, ids }: FourEyes) =>
  (await succeed(world, cards.getCard, { as: admin, params: { id: present(ids['card']) } })).data.own.limits.each;
const rulesOf = async ({ world, admin }: FourEyes) =>
  (await succeed(world, limits.listCardRules, { as: admin })).data.items;

export const cardRows: Record<string, Row> = {
  'card-issued': {
    attempt: issue,
    inForce: async ({ world, admin }) => (await succeed(world, cards.listCards, { as: admin })).data.items.length === 1,
  },
  'card-widened': {
    prepare: prepareCard,
    attempt: (cell) => change(cell, '100.01'),
    inForce: async (cell) => (await ownLimit(cell)) === '100.01',
  },
  'card-narrowed': {
    prepare: prepareCard,
    attempt: (cell) => change(cell, '99.99'),
    inForce: async (cell) => (await ownLimit(cell)) === '99.99',
  },
  'card-rule-widened': {
    prepare: prepareRule,
    attempt: (cell) => setRule(cell, '100.01'),
    inForce: async (cell) => (await rulesOf(cell))[0]?.limits.each === '100.01',
  },
  'card-rule-removed': {
    prepare: prepareRule,
    attempt: ({ world, admin, ids }) =>
      world.ask(limits.removeCardRule, { as: admin, body: { id: present(ids['cardRule']) } }),
    inForce: async (cell) => (await rulesOf(cell)).length === 0,
  },
};
