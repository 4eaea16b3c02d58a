import { createKeystore, describeKeystore } from './features/chains/index.ts';
import { ConfigError, configSchemas, readConfig } from './platform/config.ts';

/**
 * `keystore create` makes the signer's keystore, `keystore show` reads what of it is public. Both print
 * `{"evmXpub": …, "gasTank": …, "auditKey": …}`: the first two for the worker's configuration, the last for those who
 * verify exports of the audit log (`npm run audit:verify -- FILE --key …`).
 */
function main([command]: readonly string[]): void {
  const config = readConfig(configSchemas.keystore, process.env);
  if (command === 'create') print(createKeystore(config.KEYSTORE_FILE, config.KEYSTORE_PASSPHRASE));
  else if (command === 'show') print(describeKeystore(config.KEYSTORE_FILE, config.KEYSTORE_PASSPHRASE));
  else throw new ConfigError('Usage: keystore create | keystore show');
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  const plain = error instanceof ConfigError;
  process.stderr.write(`${plain ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
}
