import { createKeystore, describeKeystore, rewrapKeystore, verifyKeystore } from './features/chains/index.ts';
import { ConfigError, configSchemas, readConfig } from './platform/config/config.ts';
import { runCommand } from './platform/process/process.ts';
import { keyFamilies } from './signer-families.ts';

const usage = `Usage: node server/src/keystore.ts COMMAND, with KEYSTORE_FILE and KEYSTORE_PASSPHRASE in the environment
  create   makes a key store; never overwrites one
  show     prints its public keys: evmXpub, gasTank and treasury for the worker, those of Bitcoin's networks under families, auditKey for
           auditors
  verify   tests a copy without a server; compares EVM_XPUB, EVM_GAS_TANK, EVM_TREASURY, BITCOIN_XPUB and BITCOIN_TREASURY where they
           are set
  rewrap   writes it to KEYSTORE_NEW_FILE under KEYSTORE_NEW_PASSPHRASE`;

/** The signer's key store on the command line. `create`, `show` and `rewrap` print one line of JSON, `verify` sentences. */
function main([command, ...others]: readonly string[]): void {
  const run = others.length === 0 && command !== undefined ? commands[command] : undefined;
  if (run === undefined) throw new ConfigError(usage);
  run();
}

const commands: Readonly<Record<string, () => void>> = {
  create() {
    const config = readConfig(configSchemas.keystore, process.env);
    print(createKeystore(config.KEYSTORE_FILE, config.KEYSTORE_PASSPHRASE, keyFamilies));
  },
  show() {
    const config = readConfig(configSchemas.keystore, process.env);
    print(describeKeystore(config.KEYSTORE_FILE, config.KEYSTORE_PASSPHRASE, keyFamilies));
  },
  verify() {
    const config = readConfig(configSchemas.keystore, process.env);
    const recorded = readConfig(configSchemas.keystoreRecord, process.env);
    const { isGood, sentences } = verifyKeystore(config.KEYSTORE_FILE, config.KEYSTORE_PASSPHRASE, {
      evmXpub: recorded.EVM_XPUB,
      gasTank: recorded.EVM_GAS_TANK,
      treasury: recorded.EVM_TREASURY,
      bitcoinXpub: recorded.BITCOIN_XPUB,
      bitcoinTreasury: recorded.BITCOIN_TREASURY,
    });
    process.stdout.write(`${sentences.join('\n')}\n`);
    if (!isGood) process.exitCode = 1;
  },
  rewrap() {
    const config = readConfig(configSchemas.rewrap, process.env);
    const from = { file: config.KEYSTORE_FILE, passphrase: config.KEYSTORE_PASSPHRASE };
    const to = { file: config.KEYSTORE_NEW_FILE, passphrase: config.KEYSTORE_NEW_PASSPHRASE };
    print(rewrapKeystore(from, to, keyFamilies));
  },
};

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

await runCommand(() => main(process.argv.slice(2)));
