import { matchesGlob, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { groupOfProcess } from './groups.ts';

const group = groupOfProcess();

/** Runs test files in the order in which the group names them: the first failure ends a mutant, so the quick ones come first. */
class InOrderOfGroup extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) =>
      group.tests.findIndex((glob) => matchesGlob(relative(process.cwd(), moduleId), glob));
    return files.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

/** The tests of one group; PostgreSQL is started where they need it. */
export default defineConfig({
  test: {
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 120_000,
    include: [...group.tests],
    // Each file would otherwise load the whole server again for each mutant.
    isolate: group.isMocking === true,
    sequence: { sequencer: InOrderOfGroup },
    ...(group.isPure ? {} : { globalSetup: ['tools/test-postgres.ts'] }),
  },
});
