import { lazy } from 'react';
import { loadCode } from '#components/data/load-code.ts';

/** The panels below the window: their code is loaded after the page works, when the reader comes near them. */
export const LatencyPanel = lazy(async () => ({
  default: (await loadCode(() => import('./latency-panel.tsx'))).LatencyPanel,
}));
export const LoadPanel = lazy(async () => ({
  default: (await loadCode(() => import('./replica-panels.tsx'))).LoadPanel,
}));
export const ReplicaPanel = lazy(async () => ({
  default: (await loadCode(() => import('./replica-panels.tsx'))).ReplicaPanel,
}));
export const DecisionsPanel = lazy(async () => ({
  default: (await loadCode(() => import('./ending-panels.tsx'))).DecisionsPanel,
}));
export const ErrorsPanel = lazy(async () => ({
  default: (await loadCode(() => import('./ending-panels.tsx'))).ErrorsPanel,
}));
export const AdmissionPanel = lazy(async () => ({
  default: (await loadCode(() => import('./admission-panel.tsx'))).AdmissionPanel,
}));
