import { describe, expect, test } from 'vitest';
import { calls } from './calls.ts';
import { errors } from './errors.ts';

/** The calls whose method and path are fixed (decisions, "Calls"). */
const specified = `
POST /common/send-code
POST /common/user/send-code
POST /common/send-register-code
GET /common/captcha
POST /web/user/register
POST /web/user/login
GET /web/user
GET /web/user/mfa
POST /web/user/mfa
POST /web/user/forget-password
PUT /web/user/password
PUT /web/user/language
GET /web/account/overview
GET /web/account/fees
GET /web/account/fee-list
GET /web/notice
PUT /web/notice
PUT /web/notice/all
GET /web/crypto/chain
GET /web/crypto/wallets
GET /web/crypto/chain/address
GET /web/crypto/chain/address/v2
GET /web/crypto/payee/crypto
POST /web/crypto/payee/crypto
DELETE /web/crypto/payee/crypto/{id}
GET /web/crypto/payee/fiat
POST /web/crypto/payee/fiat
PUT /web/crypto/payee/fiat
DELETE /web/crypto/payee/fiat/{id}
PUT /web/crypto/payee/fiat/label
POST /web/crypto/transfer-out
POST /web/crypto/fiat-transfer-out
POST /web/crypto/exchange
PUT /web/crypto/transfer-cancel
GET /web/crypto/transaction
GET /web/crypto/transaction/{id}
PUT /web/trx/review-setting-enabled
GET /web/trx/review-setting
POST /web/trx/review-setting
PUT /web/trx/review-setting
DELETE /web/trx/review-setting
POST /web/trx/namelist
GET /web/trx/namelist
GET /web/trx/namelist/logs
DELETE /web/trx/namelist/{id}
POST /web/trx/risk-policy
GET /web/trx/risk-policy
DELETE /web/trx/risk-policy
POST /web/trx/risk-approval
GET /web/trx/risk-approval
GET /web/trx/risk-approval/{id}
GET /web/trx/alloyx-payment/list
POST /web/trx/alloyx-payment/confirm-transaction
GET /web/trx/currency-rate
POST /web/rbac/departments
PUT /web/rbac/departments
GET /web/rbac/departments
DELETE /web/rbac/departments/{id}
DELETE /web/rbac/departments/members
GET /web/rbac/menus/groups
GET /web/rbac/members
POST /web/rbac/members
PUT /web/rbac/members
DELETE /web/rbac/members
PUT /web/rbac/members/password
GET /web/rbac/roles
POST /web/rbac/roles
PUT /web/rbac/roles
DELETE /web/rbac/roles
GET /web/rbac/roles/menus
POST /web/file/upload
GET /todo/list
`
  .trim()
  .split('\n');

const contract = new Set(calls.map((call) => `${call.method} ${call.path}`));

describe("the specification's calls", () => {
  test.each(specified)('%s is in the contract', (line) => {
    expect(contract).toContain(line);
  });
});

describe('the contract', () => {
  test('names each call, and each method and path, once', () => {
    expect(new Set(calls.map((call) => call.name)).size).toBe(calls.length);
    expect(contract.size).toBe(calls.length);
  });

  test('has a schema for every parameter in a path', () => {
    for (const call of calls) {
      const inPath = [...call.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(Object.keys(call.params?._zod.def.shape ?? {})).toEqual(inPath);
    }
  });

  test('gives each error a number of its own', () => {
    const numbers = Object.values(errors).map((error) => error.code);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  test('asks for an idempotency key wherever money moves', () => {
    expect(
      calls
        .filter((call) => call.movesMoney)
        .map((call) => call.name)
        .sort(),
    ).toEqual([
      'accelerateDeposit',
      'addStandingOrder',
      'cancelBatch',
      'cancelExchange',
      'cancelPayout',
      'cancelTransfer',
      'confirmTrade',
      'createCryptoPayment',
      'createPayment',
      'decideApprovals',
      'declineTrade',
      'exchange',
      'fiatTransferOut',
      'refundPaymentRequest',
      'releaseTrade',
      'sendBatchAgain',
      'speedUpTransfer',
      'submitBatch',
      'transferOut',
      'withdrawApproval',
    ]);
  });
});
