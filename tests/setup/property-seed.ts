import fc from 'fast-check';
import { testSeed } from '@/scripts/testing/tier';

// fast-check prints the seed of a failure; TEST_SEED repeats the whole run.
if (testSeed !== 0) fc.configureGlobal({ seed: testSeed });
