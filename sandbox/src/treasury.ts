import {
  type Address,
  createPublicClient,
  createWalletClient,
  custom,
  encodeFunctionData,
  formatUnits,
  type Hash,
  type Hex,
  parseUnits,
} from 'viem';
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import type { ChainEngine } from './chain-engine.ts';
import {
  etherForwarderAbi,
  etherForwarderBytecode,
  sandboxTokenAbi,
  sandboxTokenBytecode,
} from './generated/contracts.ts';
import { type FaucetCoin, FORWARDER, TOKEN_DECIMALS, TOKENS, type TokenCoin } from './tokens.ts';

export type Treasury = {
  /** Addresses of the contracts; the same on every machine, since deployer and nonces are. */
  contracts: Readonly<Record<TokenCoin, Address>> & { forwarder: Address };
  /** Sends `amount` whole coins, a plain decimal string. `viaContract` passes ETH on from a contract, without a log. */
  send(coin: FaucetCoin, to: Address, amount: string, viaContract?: boolean): Promise<Hash>;
  /** A new account outside of Causeway that holds this much, and ETH for its fees. Its key is the sandbox's to give away. */
  openAccount(coin: FaucetCoin, amount: string): Promise<{ address: Address; privateKey: Hex; hash: Hash }>;
  /** In whole coins, a plain decimal string. */
  balance(coin: FaucetCoin, address: Address): Promise<string>;
};

/** The phrase every development node uses. Its keys are public knowledge and hold nothing of value anywhere. */
const PUBLIC_PHRASE = 'test test test test test test test test test test test junk';
const SUPPLY = parseUnits('1000000000000', TOKEN_DECIMALS);
const FEES_FOR_A_NEW_ACCOUNT = '1';
type Request = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Deploys on a new chain what is not there yet, and opens the faucet. */
export async function deployTokens(engine: ChainEngine, chainId: number, request: Request): Promise<Treasury> {
  const network = { ...foundry, id: chainId };
  const transport = custom(
    {
      request: ({ method, params }: { method: string; params?: unknown[] }) => request(method, params ?? []),
    },
    { retryCount: 0 },
  );
  const chain = createPublicClient({ chain: network, transport, cacheTime: 0 });
  const walletOf = (addressIndex: number) =>
    createWalletClient({ chain: network, transport, account: mnemonicToAccount(PUBLIC_PHRASE, { addressIndex }) });
  const deployer = walletOf(0);
  const faucet = walletOf(1);

  await deployMissing();

  async function deployMissing(): Promise<void> {
    const { address } = deployer.account;
    const sent = await chain.getTransactionCount({ address, blockTag: 'pending' });
    const done = await chain.getTransactionCount({ address });
    if (sent > done) {
      // Cut off between a deployment and its block: that deployment counts, the block is due.
      await engine.mine(1);
      return deployMissing();
    }
    // One deployment per nonce, in this order, then the mints: where the list broke off it goes on.
    const steps = [
      ...TOKENS.map(
        ({ name, symbol }) =>
          () =>
            deployer.deployContract({
              abi: sandboxTokenAbi,
              bytecode: sandboxTokenBytecode,
              args: [name, symbol, TOKEN_DECIMALS],
            }),
      ),
      () => deployer.deployContract({ abi: etherForwarderAbi, bytecode: etherForwarderBytecode }),
      ...TOKENS.map(
        ({ address }) =>
          () =>
            deployer.writeContract({
              address,
              abi: sandboxTokenAbi,
              functionName: 'mint',
              args: [faucet.account.address, SUPPLY],
            }),
      ),
    ];
    for (const step of steps.slice(done)) {
      await step();
      await engine.mine(1);
    }
  }

  let queue: Promise<unknown> = Promise.resolve();
  /** One payment after the other, because each reads the next nonce. */
  function inTurn(work: () => Promise<Hash>): Promise<Hash> {
    const result = queue.then(work);
    queue = result.catch(() => undefined);
    return result;
  }

  async function pay(coin: FaucetCoin, to: Address, amount: string, viaContract: boolean): Promise<Hash> {
    const nonce = await chain.getTransactionCount({ address: faucet.account.address, blockTag: 'pending' });
    if (coin !== 'ETH') {
      const data = encodeFunctionData({
        abi: sandboxTokenAbi,
        functionName: 'transfer',
        args: [to, parseUnits(amount, TOKEN_DECIMALS)],
      });
      return faucet.sendTransaction({ to: contractOf(coin), data, nonce });
    }
    const value = parseUnits(amount, 18);
    if (!viaContract) return faucet.sendTransaction({ to, value, nonce });
    const data = encodeFunctionData({ abi: etherForwarderAbi, functionName: 'forward', args: [to] });
    return faucet.sendTransaction({ to: FORWARDER, value, data, nonce });
  }

  const send: Treasury['send'] = (coin, to, amount, viaContract = false) =>
    inTurn(() => pay(coin, to, amount, viaContract));
  return {
    contracts: {
      USDT: contractOf('USDT'),
      USDC: contractOf('USDC'),
      HKDT: contractOf('HKDT'),
      FAKE: contractOf('FAKE'),
      forwarder: FORWARDER,
    },
    send,
    async openAccount(coin, amount) {
      const privateKey = generatePrivateKey();
      const { address } = privateKeyToAccount(privateKey);
      if (coin !== 'ETH') await send('ETH', address, FEES_FOR_A_NEW_ACCOUNT);
      return { address, privateKey, hash: await send(coin, address, amount) };
    },
    async balance(coin, address) {
      if (coin === 'ETH') return formatUnits(await chain.getBalance({ address }), 18);
      const units = await chain.readContract({
        address: contractOf(coin),
        abi: sandboxTokenAbi,
        functionName: 'balanceOf',
        args: [address],
      });
      return formatUnits(units, TOKEN_DECIMALS);
    },
  };
}

function contractOf(coin: TokenCoin): Address {
  const token = TOKENS.find((candidate) => candidate.coin === coin);
  if (token === undefined) throw new Error(`there is no token ${coin}`);
  return token.address;
}
