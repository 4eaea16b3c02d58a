import { join } from 'node:path';
import { writeDurably } from '../durable-file.ts';
import type { Settings } from '../settings.ts';
import { MARKETS } from './engine.ts';
import { FX_CLIENT_ID } from './fx.ts';

/** Where a venue that lives in `dir` keeps the keys of its customer. */
export function keyFiles(dir: string): { apiKeyFile: string; privateKeyFile: string } {
  return { apiKeyFile: join(dir, 'api-key'), privateKeyFile: join(dir, 'private-key') };
}

/** The venues that the worker hedges at (`LIQUIDITY_FILE`). */
export async function writeLiquidity({ dataDir, ports }: Settings): Promise<void> {
  const kraken = {
    venue: 'kraken',
    kind: 'kraken',
    url: `http://127.0.0.1:${ports.venue}`,
    ...keyFiles(join(dataDir, 'venue')),
    pairs: MARKETS.map(({ asset, altname }) => ({ asset, counter: 'USD', pair: altname })),
    lowBalances: { USD: '1000000' },
  };
  const meridian = {
    venue: 'meridian-fx',
    kind: 'airwallex',
    url: `http://127.0.0.1:${ports.fx}`,
    clientId: FX_CLIENT_ID,
    apiKeyFile: join(dataDir, 'venue', 'fx-api-key'),
    currencies: ['HKD', 'EUR', 'GBP', 'SGD', 'CNY', 'JPY'],
  };
  await writeDurably(join(dataDir, 'liquidity.json'), `${JSON.stringify([kraken, meridian], null, 2)}\n`);
}
