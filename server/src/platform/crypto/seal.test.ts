import { KeyObject, sign } from 'node:crypto';
import { CompactSign, compactVerify, exportJWK, generateKeyPair, importJWK } from 'jose';
import { expect, test } from 'vitest';
import { createOpenSeal, createSeal, openSealsOf } from './seal.ts';

async function keys() {
  const pair = await generateKeyPair('EdDSA', { extractable: true });
  return { ...pair, own: { ...(await exportJWK(pair.privateKey)) }, public: { ...(await exportJWK(pair.publicKey)) } };
}

test('a seal is a JWS that other libraries read, and theirs opens here', async () => {
  const mine = await keys();
  const jws = createSeal(mine.own)('causeway-transfer', { version: 1, text: '轉帳' });
  const { payload, protectedHeader } = await compactVerify(jws, mine.publicKey, { algorithms: ['EdDSA'] });
  expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'causeway-transfer' });
  expect(JSON.parse(Buffer.from(payload).toString('utf8'))).toEqual({ version: 1, text: '轉帳' });

  const theirs = await new CompactSign(Buffer.from('{"version":1}'))
    .setProtectedHeader({ alg: 'EdDSA', typ: 'causeway-transfer' })
    .sign(await importJWK(mine.own, 'EdDSA'));
  expect(createOpenSeal(mine.public)('causeway-transfer', theirs)).toEqual({ version: 1 });
});

test('does not open for another key, another type, changed claims, or what is no seal', async () => {
  const [mine, other] = [await keys(), await keys()];
  const jws = createSeal(mine.own)('causeway-transfer', { amount: '1' });
  const open = createOpenSeal(mine.public);
  expect(open('causeway-transfer', jws)).toEqual({ amount: '1' });
  expect(open('causeway-decision', jws)).toBeNull();
  expect(createOpenSeal(other.public)('causeway-transfer', jws)).toBeNull();
  const [header, , signature] = jws.split('.');
  const changed = Buffer.from('{"amount":"2"}').toString('base64url');
  expect(open('causeway-transfer', `${header}.${changed}.${signature}`)).toBeNull();
  for (const none of ['', '..', 'a.b.c', `${jws}.x`]) expect(open('causeway-transfer', none)).toBeNull();
});

test('seals of an earlier key still open beside those of the newest, by the key they name', async () => {
  const named = async (kid: string) => {
    const { own, public: publicKey } = await keys();
    return { own: { ...own, kid }, public: { ...publicKey, kid } };
  };
  const [older, newer, stranger] = [await named('older'), await named('newer'), await named('older')];
  const open = createOpenSeal(newer.public, older.public);
  for (const { own } of [older, newer]) {
    expect(open('causeway-decision', createSeal(own)('causeway-decision', { n: 1 }))).toEqual({ n: 1 });
  }
  expect(open('causeway-decision', createSeal(stranger.own)('causeway-decision', { n: 1 }))).toBeNull();
  // Once the earlier key is taken out, what it sealed opens no more.
  expect(createOpenSeal(newer.public)('causeway-decision', createSeal(older.own)('causeway-decision', {}))).toBeNull();
  const misnamed = createSeal({ ...older.own, kid: 'newer' })('causeway-decision', {});
  expect(open('causeway-decision', misnamed)).toBeNull();
});

test('a key without a name opens seals that name one, and a seal without a name opens for named keys', async () => {
  const { own, public: publicKey } = await keys();
  const named = createSeal({ ...own, kid: 'first' })('causeway-decision', { n: 1 });
  expect(createOpenSeal(publicKey)('causeway-decision', named)).toEqual({ n: 1 });
  const unnamed = createSeal(own)('causeway-decision', { n: 2 });
  expect(createOpenSeal({ ...publicKey, kid: 'first' })('causeway-decision', unnamed)).toEqual({ n: 2 });
});

test('a header of another algorithm, or that is no object, does not open, whatever the signature', async () => {
  const { privateKey, public: publicKey } = await keys();
  const open = createOpenSeal(publicKey);
  const sealedAs = async (header: unknown) => {
    const signed = [header, { n: 1 }].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const signature = sign(null, Buffer.from(signed), KeyObject.from(privateKey));
    return `${signed}.${signature.toString('base64url')}`;
  };
  expect(open('causeway-decision', await sealedAs({ alg: 'EdDSA', typ: 'causeway-decision' }))).toEqual({ n: 1 });
  for (const header of [{ alg: 'ES256', typ: 'causeway-decision' }, { typ: 'causeway-decision' }, null, 'EdDSA', 7]) {
    expect(open('causeway-decision', await sealedAs(header)), JSON.stringify(header)).toBeNull();
  }
});

test('each side’s seals open with its own keys alone: the operator’s for fees and replacements, the companies’ for the rest', async () => {
  const [companies, operator] = [await keys(), await keys()];
  const open = openSealsOf({ companies: [companies.public], operator: [operator.public] });
  const [byCompanies, byOperator] = [createSeal(companies.own), createSeal(operator.own)];
  for (const type of ['causeway-fees', 'causeway-replacement'] as const) {
    expect(open(type, byOperator(type, { n: 1 }))).toEqual({ n: 1 });
    expect(open(type, byCompanies(type, { n: 1 })), type).toBeNull();
  }
  for (const type of ['causeway-transfer', 'causeway-decision', 'causeway-payout'] as const) {
    expect(open(type, byCompanies(type, { n: 2 }))).toEqual({ n: 2 });
    expect(open(type, byOperator(type, { n: 2 })), type).toBeNull();
  }
});
