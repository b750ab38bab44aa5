import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import dnsPacket, { type Answer } from 'dns-packet';

export type TestDns = {
  /** `address:port`. */
  readonly server: string;
  /** By type and name, as in `A vllm.test`; what is not there has no records. */
  readonly records: Map<string, readonly Answer[]>;
  close(): void;
};

/** A name server on loopback. */
export async function startTestDns(records: TestDns['records'] = new Map()): Promise<TestDns> {
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const { id, questions } = dnsPacket.decode(message);
    const [question] = questions ?? [];
    const answers = [...(records.get(`${question?.type} ${question?.name}`) ?? [])];
    const reply = dnsPacket.encode({ type: 'response', id: id ?? 0, questions: questions ?? [], answers });
    socket.send(reply, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { server: `127.0.0.1:${socket.address().port}`, records, close: () => socket.close() };
}
