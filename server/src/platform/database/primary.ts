import pg from 'pg';
import { NoPrimary } from './outage.ts';

/**
 * Connections to the primary of a database with several hosts, as libpq makes them with
 * `postgres://h1,h2/name?target_session_attrs=read-write`. `pg` knows one host only. Before each connection the hosts
 * are asked which of them accepts writes.
 */

const probeTimeoutMs = 3000;

/** One address for each host of a database address, in its order; `target_session_attrs` is taken out. */
export function addressesOf(url: string): string[] {
  const match = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/.exec(url);
  if (!match) return [url];
  const [, before = '', hosts = '', after = ''] = match;
  return hosts.split(',').map((host) => before + host + withoutTarget(after));
}

/** What is wrong with a database address, to follow its name in a sentence; null when it is usable. */
export function databaseAddressProblem(url: string): string | null {
  const addresses = addressesOf(url);
  const usable = addresses.every((address) => /^postgres(ql)?:\/\//.test(address) && URL.canParse(address));
  if (!usable || addresses.some((address) => !/\/\/([^/?#]*@)?[^/?#@]/.test(address))) {
    return 'is not usable';
  }
  const target = /[?&]target_session_attrs=([^&#]*)/.exec(url)?.[1];
  if (target !== undefined && target !== 'read-write' && target !== 'primary') {
    return 'has another target_session_attrs than read-write; every process writes';
  }
  if (addresses.length > 1 && target === undefined)
    return 'has several hosts and lacks ?target_session_attrs=read-write';
  return null;
}

function withoutTarget(rest: string): string {
  const [path = '', query] = rest.split('?', 2);
  if (query === undefined) return path;
  const kept = query.split('&').filter((part) => !part.startsWith('target_session_attrs='));
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

/** The class of client for a pool on this address. With one host it is `pg`'s own. */
export function clientClassFor(url: string): typeof pg.Client {
  const addresses = addressesOf(url);
  if (addresses.length < 2) return pg.Client;
  const locate = createLocator(addresses);
  return class PrimaryClient extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const connecting = this.#connectToPrimary();
      if (callback === undefined) return connecting;
      // pg-pool calls back with an error or with nothing.
      const done = callback as (error?: Error) => void;
      connecting.then(
        () => done(),
        (error: Error) => done(error),
      );
      return undefined;
    }

    async #connectToPrimary(): Promise<pg.Client> {
      const { host, port } = await locate();
      // Read when the socket is opened and when the certificate's name is checked.
      Object.assign(this, { host, port });
      return super.connect();
    }
  };
}

/** A client of its own on the primary, not yet connected. `config` is `pg`'s, without the address. */
export function createClient(url: string, config: pg.ClientConfig): pg.Client {
  return new (clientClassFor(url))({ ...config, connectionString: addressesOf(url)[0] });
}

interface Place {
  host: string;
  port: number;
}

/** Finds the host that accepts writes, the last one first; callers that ask at the same time share the answer. */
function createLocator(addresses: readonly string[]): () => Promise<Place> {
  let last = addresses[0] ?? '';
  let running: Promise<Place> | undefined;

  async function locate(): Promise<Place> {
    const known = await probe(last).catch(() => null);
    if (known) return known;
    const others = addresses.map(async (address) => {
      const place = await probe(address);
      last = address;
      return place;
    });
    return Promise.any(others).catch((error: AggregateError) => {
      throw new NoPrimary({ cause: error.errors[0] });
    });
  }

  return () => {
    running ??= locate().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** Rejects unless the host at this address accepts writes. */
async function probe(address: string): Promise<Place> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
    application_name: 'causeway-probe',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
    if (rows[0]?.transaction_read_only !== 'off') throw new Error('The host is read-only');
    return { host: client.host, port: client.port };
  } finally {
    await client.end().catch(() => undefined);
  }
}
