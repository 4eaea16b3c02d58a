import { expect, test } from 'vitest';
import { AddressRefused, type AddressRules, addressesOf, isPublic, isReachable } from './addresses.ts';

const rules: AddressRules = { allowedNetworks: [], ports: [443, 8443], allowHttp: false };
const leadingTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const outside = leadingTo('9.9.9.9');

async function problemOf(
  url: string,
  given = rules,
  resolve: () => Promise<{ address: string; family: number }[]> = outside,
) {
  try {
    await addressesOf(new URL(url), given, resolve);
    return null;
  } catch (error) {
    if (error instanceof AddressRefused) return error.problem;
    throw error;
  }
}

test.each([
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.254',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:9.9.9.9',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
])('%s is not public', (address) => {
  expect(isPublic(address)).toBe(false);
  expect(isReachable(address, { allowedNetworks: [] })).toBe(false);
});

test.each([
  '1.1.1.1',
  '9.9.9.9',
  '93.184.215.14',
  '100.63.255.255',
  '100.128.0.1',
  '172.32.0.1',
  '2606:4700::1111',
  '2a00:1450:4001::1',
])('%s is public', (address) => {
  expect(isPublic(address)).toBe(true);
});

test.each([
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://①②⑦.0.0.1/',
  'https://127.0.0.1./',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fd00:ec2::254]/latest/meta-data',
  'https://169.254.169.254/latest/meta-data',
  'https://0/',
  'https://10.1.2.3:8443/',
])('%s is refused without asking for a name', async (url) => {
  const asked = async () => {
    throw new Error('no name is asked for');
  };
  expect(await problemOf(url, rules, asked)).toBe('refused');
});

test('a name is refused where any of its addresses is', async () => {
  expect(await problemOf('https://erp.example/')).toBeNull();
  expect(await problemOf('https://erp.example/', rules, leadingTo('9.9.9.9', '10.0.0.1'))).toBe('refused');
  expect(await problemOf('https://erp.example/', rules, leadingTo('2606:4700::1111', '::1'))).toBe('refused');
  expect(await problemOf('https://localhost/', rules, leadingTo('127.0.0.1'))).toBe('refused');
  expect(await problemOf('https://erp.example/', rules, leadingTo())).toBe('name');
  const failing = async () => {
    throw Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
  };
  expect(await problemOf('https://erp.example/', rules, failing)).toBe('name');
});

test('schemes, credentials and ports', async () => {
  expect(await problemOf('http://erp.example/')).toBe('refused');
  expect(await problemOf('ftp://erp.example/')).toBe('refused');
  expect(await problemOf('https://user:password@erp.example/')).toBe('refused');
  expect(await problemOf('https://user@erp.example/')).toBe('refused');
  expect(await problemOf('https://erp.example:22/')).toBe('port');
  expect(await problemOf('https://erp.example:443/')).toBeNull();
  expect(await problemOf('https://erp.example:8443/hooks?of=causeway')).toBeNull();
});

test('networks inside that the operator allows can be reached, without TLS only where that is allowed as well', async () => {
  const inside = { ...rules, allowedNetworks: ['10.20.0.0/16', 'fd12:3456::/32'] };
  expect(await problemOf('https://10.20.3.4/', inside)).toBeNull();
  expect(await problemOf('https://[fd12:3456::1]/', inside)).toBeNull();
  expect(await problemOf('https://10.21.3.4/', inside)).toBe('refused');
  expect(await problemOf('https://[::ffff:10.20.3.4]/', inside)).toBeNull();
  expect(await problemOf('http://10.20.3.4:443/', inside)).toBe('refused');
  const plain = { ...inside, allowHttp: true };
  expect(await problemOf('http://10.20.3.4:443/', plain)).toBeNull();
  // Beyond the allowed networks never without TLS.
  expect(await problemOf('http://erp.example:443/', plain)).toBe('refused');
});
