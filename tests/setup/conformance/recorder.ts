import { expect } from 'vitest';
import type { Observe } from '../../../sandbox/provider/observe';
import { rulesOf } from './rules';

/**
 * Compares everything that passes between our code and the sandbox with what the provider publishes, so that the two
 * cannot agree on something that the provider never said. For `startGateway({ observe })`.
 */
export function recordConformance(): { observe: Observe; expectNoFindings: () => void } {
  const findings = new Set<string>();
  return {
    observe(traffic) {
      const rules = rulesOf[traffic.provider];
      const found = traffic.kind === 'call' ? rules.call?.(traffic) : rules.event?.(traffic);
      for (const finding of found ?? []) findings.add(`${traffic.provider}: ${finding}`);
    },
    expectNoFindings: () => expect([...findings].sort()).toEqual([]),
  };
}
