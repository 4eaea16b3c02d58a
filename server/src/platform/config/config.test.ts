import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createApp } from '../http/app.ts';
import { createLog } from '../process/log.ts';
import { sentenceOf } from '../process/start-failure.ts';
import { readChains } from './chains.ts';
import { ConfigError, configSchemas, lookConfigOf, readConfig } from './config.ts';
import { variableHelp } from './config-examples.ts';

const ed25519 = generateKeyPairSync('ed25519');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const text = (key: (typeof ed25519)['publicKey']) => JSON.stringify(key.export({ format: 'jwk' }));

/** What `main` needs, filled with the examples that the messages give. */
const examples = Object.fromEntries(Object.entries(variableHelp).map(([name, { example }]) => [name, example]));
const keys = {
  AUTHORISATION_KEY: text(ed25519.privateKey),
  AUTHORISATION_PUBLIC_KEY: text(ed25519.publicKey),
  PASSWORD_KEY: text(rsa.privateKey),
  PASSWORD_KEY_PREVIOUS: '',
};
const env: NodeJS.ProcessEnv = { ...examples, ...keys };

function refusalOf(changed: NodeJS.ProcessEnv, process: keyof typeof configSchemas = 'main'): string {
  try {
    readConfig(configSchemas[process], { ...env, ...changed });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return sentenceOf(error);
  }
  throw new Error('it was accepted');
}

test.each(Object.keys(configSchemas) as (keyof typeof configSchemas)[])(
  'every variable of %s is explained with an example of the right form',
  (process) => {
    const names = Object.keys(configSchemas[process].shape);
    expect(names.filter((name) => variableHelp[name] === undefined)).toEqual([]);
    expect(() => readConfig(configSchemas[process], env)).not.toThrow();
  },
);

describe('a wrong environment', () => {
  test('is named variable by variable, with what is wanted and an example', () => {
    const said = refusalOf({ HTTP_PORT: undefined, DATABASE_APP_URL: 'db.internal', APP_SECRET: '' });
    expect(said).toMatch(/HTTP_PORT is missing: a port .* for example HTTP_PORT=8080$/m);
    expect(said).toMatch(/DATABASE_APP_URL is not usable: the address of PostgreSQL .*DATABASE_APP_URL=postgres:/);
    expect(said).toMatch(/APP_SECRET is missing/);
    expect(said).toMatch(/--env-file=FILE/);
  });

  test('of an operator’s process that serves looks lacks the address of companies’ links', () => {
    const read = (changed: NodeJS.ProcessEnv) =>
      lookConfigOf(readConfig(configSchemas.operatorMain, { ...env, ...changed }));
    expect(read({})).toEqual({
      port: Number(env['OPERATOR_LOOK_PORT']),
      url: env['OPERATOR_LOOK_URL'],
      publicUrl: env['PUBLIC_URL'],
    });
    expect(read({ OPERATOR_LOOK_PORT: undefined, PUBLIC_URL: undefined })).toBeNull();
    expect(() => read({ PUBLIC_URL: undefined })).toThrow(/PUBLIC_URL is missing: the address under which people/);
  });

  test('never shows a value', () => {
    expect(refusalOf({ APP_SECRET: 'hunter2-hunter2', DATABASE_APP_URL: 'pass-hunter2' })).not.toContain('hunter2');
  });

  test('a skeleton that was not filled in is refused, even where the form would do', () => {
    expect(refusalOf({ MAIL_FROM: 'FILL_IN' }, 'worker')).toMatch(/MAIL_FROM is still to be filled in/);
  });

  test('a key of another kind, or the half that the process must not hold, is refused', () => {
    expect(refusalOf({ AUTHORISATION_KEY: text(rsa.privateKey) })).toMatch(/AUTHORISATION_KEY is not an Ed25519 key/);
    expect(refusalOf({ AUTHORISATION_KEY: text(ed25519.publicKey) })).toMatch(/is the public half/);
    expect(refusalOf({ AUTHORISATION_PUBLIC_KEY: text(ed25519.privateKey) }, 'signer')).toMatch(
      /AUTHORISATION_PUBLIC_KEY is a private key; this process must hold its public half only/,
    );
    expect(refusalOf({ AUTHORISATION_PUBLIC_KEY_PREVIOUS: `{"keys":[${text(rsa.publicKey)}]}` }, 'signer')).toMatch(
      /AUTHORISATION_PUBLIC_KEY_PREVIOUS is not an Ed25519 key/,
    );
    expect(refusalOf({ PASSWORD_KEY: '{' })).toMatch(/PASSWORD_KEY is not a JSON Web Key/);
  });

  test('an unreadable list of chains names the variable and the file', () => {
    expect(() => readChains('/nowhere/chains.json')).toThrow(
      /CHAINS_FILE names \/nowhere\/chains.json, which cannot be read/,
    );
  });
});

describe('trusted proxies', () => {
  test.each(['1', '0.0.0.0/0', '::/0', '10.0.0.0/4', 'proxy.internal', '10.0.0.0/40', '10.0.0.1/8/8'])(
    '%s is refused',
    (value) => {
      expect(refusalOf({ TRUSTED_PROXIES: value })).toMatch(/TRUSTED_PROXIES (wants|trusts)/);
    },
  );

  test('are addresses and networks; none by default', () => {
    const read = (value: string | undefined) =>
      readConfig(configSchemas.main, { ...env, TRUSTED_PROXIES: value }).TRUSTED_PROXIES;
    expect(read('127.0.0.1, 10.1.0.0/16,fd00::/32')).toEqual(['127.0.0.1', '10.1.0.0/16', 'fd00::/32']);
    expect(read(undefined)).toEqual([]);
  });

  test('a direct caller cannot choose its address, a caller behind the proxy is known by its own', async () => {
    const log = createLog('test', 'silent');
    const app = await createApp({ log, trustedProxies: ['10.0.0.5'], inlineHashes: { script: [], style: [] } });
    app.get('/ip', async (request) => request.ip);
    const ipFor = async (remoteAddress: string, forwarded: string) =>
      (await app.inject({ url: '/ip', remoteAddress, headers: { 'x-forwarded-for': forwarded } })).body;
    expect(await ipFor('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9');
    expect(await ipFor('10.0.0.5', '198.51.100.1')).toBe('198.51.100.1');
    // The caller wrote the first; only what the proxy appended counts.
    expect(await ipFor('10.0.0.5', '127.0.0.1, 198.51.100.1')).toBe('198.51.100.1');
    await app.close();
  });
});
