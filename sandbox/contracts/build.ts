/**
 * Compiles the sandbox's contracts, offline, into src/generated/contracts.ts.
 * `node contracts/build.ts` writes the file; with `--check` it only says whether the committed file is what the
 * sources give, and exits 1 when not.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import solc from 'solc';

type Compiled = { abi: unknown[]; evm: { bytecode: { object: string } } };
type CompilerOutput = {
  errors?: { severity: string; formattedMessage: string }[];
  contracts?: Record<string, Record<string, Compiled>>;
};

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, '..', 'src', 'generated', 'contracts.ts');
const names = ['SandboxToken', 'EtherForwarder'];

function compile(): string {
  const sources = Object.fromEntries(
    names.map((name) => [`${name}.sol`, { content: readFileSync(join(here, `${name}.sol`), 'utf8') }]),
  );
  const input = {
    language: 'Solidity',
    sources,
    settings: {
      // Prague is the rule set the local chain runs, see src/anvil.ts.
      evmVersion: 'prague',
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
  const output: CompilerOutput = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }));
  const faults = (output.errors ?? []).filter((error) => error.severity === 'error');
  if (faults.length > 0) throw new Error(faults.map((fault) => fault.formattedMessage).join('\n'));
  return names.map((name) => print(name, output.contracts?.[`${name}.sol`]?.[name])).join('\n');
}

function readImport(path: string): { contents: string } {
  return { contents: readFileSync(fileURLToPath(import.meta.resolve(path)), 'utf8') };
}

function print(name: string, compiled: Compiled | undefined): string {
  if (compiled === undefined) throw new Error(`the compiler gave no ${name}`);
  const variable = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  return [
    `export const ${variable}Abi = ${JSON.stringify(compiled.abi, null, 2)} as const;`,
    '',
    `export const ${variable}Bytecode =\n  '0x${compiled.evm.bytecode.object}';`,
    '',
  ].join('\n');
}

const text = `// Made by contracts/build.ts from contracts/*.sol. Do not edit.\n${compile()}`;
if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error('src/generated/contracts.ts is out of date: run npm run contracts -w sandbox');
    process.exit(1);
  }
} else {
  writeFileSync(target, text);
}
