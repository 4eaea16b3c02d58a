import type { Body } from '@causeway/contract/call.ts';
import {
  createPaymentRequest,
  getPaymentRequest,
  type PaymentRequestDetail,
} from '@causeway/contract/payment-requests.ts';
import { sql } from 'kysely';
import type { AddressRegister, AddressSources } from '../features/chains/index.ts';
import { collectionJobs } from '../features/collections/index.ts';
import { systemClock } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import type { JobDefinition } from '../platform/jobs/jobs.ts';
import { expire } from './collections.ts';
import type { TestDatabase } from './database.ts';
import { type MainApp, type Member, mainApp } from './main-app.ts';
import { succeed } from './succeed.ts';

/** Payment requests of companies whose chains, watchers and signer are real: made over HTTP, paid on the chain. */

interface World {
  db: TestDatabase;
  addressing: { sources: AddressSources; register: AddressRegister };
  further: JobDefinition[];
  work(): Promise<void>;
}

export interface ChainRequest {
  id: string;
  token: string;
  as: Member;
  /** By chain. */
  addresses: Map<string, string>;
}

export interface ChainRequests {
  main: MainApp;
  /** Someone of the company who may do everything; the company gets a name. */
  member(company: { id: string }): Promise<Member>;
  /** A request for an amount of a coin, whose addresses are open. */
  open(
    as: Member,
    accepted: { chainId: string; coin: string },
    amount: string,
    also?: Partial<Body<typeof createPaymentRequest>>,
  ): Promise<ChainRequest>;
  detail(request: Pick<ChainRequest, 'as' | 'id'>): Promise<PaymentRequestDetail>;
  /** Moves the request’s time back, so that its period ended a minute ago, and looks at it as the minutely job does. */
  expire(request: Pick<ChainRequest, 'as' | 'id'>): Promise<void>;
  close(): Promise<void>;
}

const hourMs = 3_600_000;

export async function requestsOnChains(world: World, main?: MainApp): Promise<ChainRequests> {
  const app = main ?? (await mainApp(world.db));
  const mailer = { send: async () => undefined, close: () => undefined };
  const ports = { ...world.addressing, mailer, publicUrl: 'https://causeway.example', clock: systemClock };
  world.further.push(...collectionJobs(ports));
  const requests: ChainRequests = {
    main: app,
    async member(company) {
      await world.db.app.withCompany(company.id, (tx) =>
        sql`insert into company (company_id, name) values (company_id(), 'Harbour Trading') on conflict do nothing`.execute(
          tx,
        ),
      );
      return app.member(company, 'administrator');
    },
    async open(as, accepted, amount, also = {}) {
      const body = {
        ...{ id: newId(), title: 'Invoice 0042', reference: 'INV-0042', note: '', kind: 'single', pricing: 'coin' },
        ...{ asset: accepted.coin, amount, accepted: [accepted], tolerance: { percent: '0' }, dueOn: null },
        ...{ expiresAt: new Date(Date.now() + hourMs).toISOString(), payer: null, reminderDays: [] },
        ...also,
      };
      const { id, token } = (await succeed(app, createPaymentRequest, { as, body })).data;
      await world.work();
      const { addresses } = await requests.detail({ as, id });
      return { id, token, as, addresses: new Map(addresses.map(({ chainId, address }) => [chainId, address])) };
    },
    detail: async ({ as, id }) => (await succeed(app, getPaymentRequest, { as, params: { id } })).data,
    expire: ({ as, id }) => expire({ db: world.db, ports }, { company: { id: as.session.companyId }, id }),
    close: () => app.close(),
  };
  return requests;
}
