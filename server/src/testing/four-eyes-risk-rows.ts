import * as risk from '@causeway/contract/risk.ts';
import * as lists from '@causeway/contract/risk-lists.ts';
import { newId } from '../platform/ids.ts';
import { randomAddress } from './company.ts';
import type { Answer } from './envelope.ts';
import type { FourEyes, Row } from './four-eyes.ts';
import { present } from './present.ts';
import { succeed } from './succeed.ts';

/** The rows of docs/FOUR_EYES.md about lists and policies. */

const limits = { single: '100', daily: '200', cumulative: '300' };

const addEntry = (cell: FourEyes, kind: 'white' | 'black') => {
  const entry = {
    kind,
    payeeType: 'crypto_address',
    account: randomAddress(),
    ...(kind === 'white' ? { limits } : {}),
  };
  cell.ids['entry'] = newId();
  return cell.world.ask(lists.addListEntry, { as: cell.admin, body: { id: cell.ids['entry'], ...entry } });
};

async function entriesOf({ world, admin }: FourEyes, kind: 'white' | 'black') {
  return (await succeed(world, lists.listNamelist, { as: admin, query: { kind, status: 'in_use' } })).data.items;
}

const prepareEntry = (kind: 'white' | 'black') => async (cell: FourEyes) => {
  await addEntry(cell, kind);
};

const removeEntry = ({ world, admin, ids }: FourEyes) =>
  world.ask(lists.deleteListEntry, { as: admin, params: { id: present(ids['entry']) } });

const editLimits = ({ world, admin, ids }: FourEyes, single: string) =>
  world.ask(lists.editListEntry, {
    as: admin,
    body: { id: present(ids['entry']), limits: { single, daily: '200', cumulative: '300' } },
  });

const policyOf = (more: object = {}) => ({
  name: 'Large transfers',
  business: 'crypto_withdrawal',
  method: 'forbid',
  content: { dimension: 'crypto_value', from: '1000', to: null },
  result: 'deny',
  window: 'day',
  ...more,
});

const range = (from: string) => ({ content: { dimension: 'crypto_value', from, to: null } });

async function addPolicy(cell: FourEyes, more: object = {}): Promise<Answer> {
  const id = newId();
  cell.ids['policy'] ??= id;
  return cell.world.ask(risk.addRiskPolicy, { as: cell.admin, body: { id, ...policyOf(more) } });
}

const preparePolicies = async (cell: FourEyes) => {
  await addPolicy(cell);
  await addPolicy(cell, { name: 'Second' });
};

async function policiesOf({ world, admin }: FourEyes) {
  return (await succeed(world, risk.listRiskPolicies, { as: admin })).data.items;
}

const policyById = async (cell: FourEyes) =>
  (await policiesOf(cell)).find(({ id }: { id: string }) => id === cell.ids['policy']);

const editPolicy = (cell: FourEyes, more: object) =>
  cell.world.ask(risk.editRiskPolicy, {
    as: cell.admin,
    body: { id: present(cell.ids['policy']), version: 1, ...policyOf(more) },
  });

export const riskRows: Record<string, Row> = {
  'white-added': {
    attempt: (cell) => addEntry(cell, 'white'),
    inForce: async (cell) => (await entriesOf(cell, 'white')).length === 1,
  },
  'white-imported': {
    attempt({ world, admin }) {
      const line = `crypto_address,${randomAddress()},rent,100,200,300`;
      const content = Buffer.from(`payeeType,account,remark,single,daily,cumulative\n${line}\n`);
      const query = { kind: 'white', dryRun: 'false' };
      return world.ask(lists.importNamelist, { as: admin, query, upload: { name: 'list.csv', content } });
    },
    inForce: async (cell) => (await entriesOf(cell, 'white')).length === 1,
  },
  'white-limit': {
    prepare: prepareEntry('white'),
    attempt: (cell) => editLimits(cell, '100.01'),
    inForce: async (cell) => (await entriesOf(cell, 'white'))[0]?.limits?.single === '100.01',
  },
  'white-removed': {
    prepare: prepareEntry('white'),
    attempt: removeEntry,
    inForce: async (cell) => (await entriesOf(cell, 'white')).length === 0,
  },
  'black-removed': {
    prepare: prepareEntry('black'),
    attempt: removeEntry,
    inForce: async (cell) => (await entriesOf(cell, 'black')).length === 0,
  },
  'any-account': {
    prepare: async ({ world, admin }) =>
      void (await succeed(world, lists.setRiskSetting, { as: admin, body: { onlyWhitelisted: true } })),
    attempt: ({ world, admin }) => world.ask(lists.setRiskSetting, { as: admin, body: { onlyWhitelisted: false } }),
    inForce: async ({ world, admin }) =>
      !(await succeed(world, lists.getRiskSetting, { as: admin })).data.onlyWhitelisted,
  },
  'policy-allows': {
    attempt: (cell) => addPolicy(cell, { method: 'allow_only', result: 'allow' }),
    inForce: async (cell) => (await policiesOf(cell)).length === 1,
  },
  'policy-loosened': {
    prepare: preparePolicies,
    attempt: (cell) => editPolicy(cell, range('1000.01')),
    inForce: async (cell) => (await policyById(cell))?.version === 2,
  },
  'policy-deleted': {
    prepare: preparePolicies,
    attempt: ({ world, admin, ids }) =>
      world.ask(risk.deleteRiskPolicy, { as: admin, body: { id: present(ids['policy']) } }),
    inForce: async (cell) => (await policyById(cell)) === undefined,
  },
  'policy-moved': {
    prepare: preparePolicies,
    attempt: ({ world, admin, ids }) =>
      world.ask(risk.moveRiskPolicy, { as: admin, body: { id: present(ids['policy']), position: 2 } }),
    inForce: async (cell) => (await policyById(cell))?.position === 2,
  },
  'policy-off': {
    prepare: preparePolicies,
    attempt: ({ world, admin, ids }) =>
      world.ask(risk.setRiskPolicyStatus, { as: admin, body: { id: present(ids['policy']), active: false } }),
    inForce: async (cell) => (await policyById(cell))?.active === false,
  },
  'black-added': {
    attempt: (cell) => addEntry(cell, 'black'),
    inForce: async (cell) => (await entriesOf(cell, 'black')).length === 1,
  },
  'limit-lowered': {
    prepare: prepareEntry('white'),
    attempt: (cell) => editLimits(cell, '99.99'),
    inForce: async (cell) => (await entriesOf(cell, 'white'))[0]?.limits?.single === '99.99',
  },
  'policy-forbids': {
    attempt: (cell) => addPolicy(cell),
    inForce: async (cell) => (await policiesOf(cell)).length === 1,
  },
  'policy-tightened': {
    prepare: preparePolicies,
    attempt: (cell) => editPolicy(cell, range('999.99')),
    inForce: async (cell) => (await policyById(cell))?.version === 2,
  },
};
