import { expect } from 'vitest';
import type { Observe } from '@/sandbox/provider/observe';
import { rulesOf } from './rules';

/**
 * Compares all traffic between this app and the sandbox with the provider's published API, so that both cannot share a
 * wrong assumption. For `startGateway({ observe })`.
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
