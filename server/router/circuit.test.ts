import { describe, expect, it } from 'vitest';
import { type Circuit, createCircuit } from './circuit.ts';

function opened(at: number): Circuit {
  const circuit = createCircuit();
  for (let count = 0; count < 3; count += 1) circuit.watch().broke(at);
  return circuit;
}

describe('a circuit', () => {
  it('opens when three requests in a row broke off', () => {
    const circuit = createCircuit();
    circuit.watch().broke(0);
    circuit.watch().broke(0);
    expect(circuit.isOpen).toBe(false);
    circuit.watch().broke(0);
    expect(circuit.isOpen).toBe(true);
  });

  it('begins to count anew with every complete answer, not with one that a client left', () => {
    const circuit = createCircuit();
    const isOpenAfter = (complete: boolean): boolean => {
      circuit.watch().broke(0);
      circuit.watch().broke(0);
      const third = circuit.watch();
      third.answered();
      third.ended(complete);
      circuit.watch().broke(0);
      return circuit.isOpen;
    };
    expect(isOpenAfter(true)).toBe(false);
    expect(isOpenAfter(false)).toBe(true);
  });

  it('opens where every stream is cut in its middle', () => {
    const circuit = createCircuit();
    for (let count = 0; count < 3; count += 1) {
      const watched = circuit.watch();
      watched.answered();
      watched.broke(0);
    }
    expect(circuit.isOpen).toBe(true);
  });

  it('lets one probe through after a while, and the next only when that one is over', () => {
    const circuit = opened(0);
    expect(circuit.isProbeDue(1_000)).toBe(false);
    expect(circuit.isProbeDue(60_000)).toBe(true);
    const probe = circuit.watch();
    expect(circuit.isProbeDue(60_000)).toBe(false);
    probe.ended(false);
    expect(circuit.isProbeDue(60_000)).toBe(true);
  });

  it('waits again after a probe that broke off', () => {
    const circuit = opened(0);
    circuit.watch().broke(60_000);
    expect(circuit.isOpen).toBe(true);
    expect(circuit.isProbeDue(60_001)).toBe(false);
    expect(circuit.isProbeDue(120_000)).toBe(true);
  });

  it('is not kept open by requests that were under way when it opened', () => {
    const circuit = createCircuit();
    const old = circuit.watch();
    for (let count = 0; count < 3; count += 1) circuit.watch().broke(0);
    old.broke(59_000);
    expect(circuit.isProbeDue(60_000)).toBe(true);
  });

  it('closes with the first answer, on probation until one is complete', () => {
    const circuit = opened(0);
    const probe = circuit.watch();
    probe.answered();
    expect(circuit.isOpen).toBe(false);
    probe.broke(1);
    expect(circuit.isOpen).toBe(true);
    const second = circuit.watch();
    second.answered();
    second.ended(true);
    circuit.watch().broke(2);
    expect(circuit.isOpen).toBe(false);
  });

  it('forgets its past with a replica that is new', () => {
    const circuit = opened(0);
    circuit.reset();
    expect(circuit.isOpen).toBe(false);
    circuit.watch().broke(0);
    expect(circuit.isOpen).toBe(false);
  });
});
