import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type TestCertificates = {
  /** Paths of PEM files: an authority's own certificate, and key and certificate of a server at 127.0.0.1. */
  readonly ca: string;
  readonly key: string;
  readonly cert: string;
  remove(): void;
};

/** An authority that nobody knows, and a certificate of its for 127.0.0.1. */
export function makeCertificates(): TestCertificates {
  const folder = mkdtempSync(join(tmpdir(), 'warden-tls-'));
  const [ca, caKey] = [join(folder, 'ca.crt'), join(folder, 'ca.key')];
  const [key, cert, request] = [join(folder, 'server.key'), join(folder, 'server.crt'), join(folder, 'server.csr')];
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...newKey, '-keyout', caKey, '-out', ca, '-days', '2', '-subj', '/CN=an authority of one');
  const forLoopback = ['-subj', '/CN=a server', '-addext', 'subjectAltName=IP:127.0.0.1'];
  openssl('req', ...newKey, '-keyout', key, '-out', request, ...forLoopback);
  const signing = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-copy_extensions', 'copy'];
  openssl('x509', '-req', '-in', request, ...signing, '-out', cert, '-days', '2');
  return { ca, key, cert, remove: () => rmSync(folder, { recursive: true }) };
}
