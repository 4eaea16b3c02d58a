import { type AddressSource, bitcoinAddresses, evmAddresses } from './features/chains/index.ts';
import { bitcoinNetworkOf, type ChainConfig, isBitcoinChain } from './platform/config/chains.ts';
import { ConfigError, type WorkerConfig } from './platform/config/config.ts';
import { explainVariable } from './platform/config/config-examples.ts';

type Keys = Pick<WorkerConfig, 'EVM_XPUB' | 'EVM_GAS_TANK' | 'EVM_TREASURY' | 'BITCOIN_XPUB' | 'BITCOIN_TREASURY'>;

/**
 * What derives the addresses of each family, in the worker.
 * @throws ConfigError where a chain of Bitcoin is configured and its keys are missing, or are of another network
 */
export function addressSources(config: Keys, chains: readonly ChainConfig[]): AddressSource[] {
  const evm = evmAddresses({ xpub: config.EVM_XPUB, gasTank: config.EVM_GAS_TANK, treasury: config.EVM_TREASURY });
  return chains.some(isBitcoinChain) ? [evm, bitcoinSource(config, chains)] : [evm];
}

function bitcoinSource(config: Keys, chains: readonly ChainConfig[]): AddressSource {
  const network = bitcoinNetworkOf(chains);
  const { BITCOIN_XPUB: xpub, BITCOIN_TREASURY: treasury } = config;
  if (xpub === undefined) throw new ConfigError(explainVariable('BITCOIN_XPUB', null));
  if (treasury === undefined) throw new ConfigError(explainVariable('BITCOIN_TREASURY', null));
  const refused = (name: string) => new ConfigError(explainVariable(name, `is not one of the network ${network}`));
  let source: AddressSource;
  try {
    source = bitcoinAddresses({ xpub, treasury, network });
  } catch {
    throw refused('BITCOIN_XPUB');
  }
  try {
    source.family.readAddress(treasury);
  } catch {
    throw refused('BITCOIN_TREASURY');
  }
  return source;
}
