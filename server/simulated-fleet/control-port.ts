import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { boundPort } from './bound-port.ts';
import { type ArmedFault, PLAIN_FAULTS } from './faults.ts';
import { sendJson } from './reply.ts';

type Controls = {
  readonly faults: ArmedFault;
  readonly restart: () => Promise<void>;
  readonly die: () => Promise<void>;
};

const count = z.int().min(1).nullable();
const faultBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('slow'), ms: z.int().min(0).max(600_000), count }),
  z.strictObject({ kind: z.enum(PLAIN_FAULTS), count }),
]);

/** Opens the port through which a test breaks the fleet: on loopback, whatever address the fleet itself has. */
export async function openControlPort(controls: Controls): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    control(controls, request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      sendJson(response, 500, { error: { field: null, message } });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${boundPort(server)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function control(controls: Controls, request: IncomingMessage, response: ServerResponse): Promise<void> {
  switch (`${request.method} ${request.url}`) {
    case 'POST /fault': {
      const problem = armFault(controls.faults, await readText(request));
      if (problem === null) break;
      sendJson(response, 400, { error: problem });
      return;
    }
    case 'DELETE /fault':
      controls.faults.clear();
      break;
    case 'POST /restart':
      await controls.restart();
      break;
    case 'POST /die':
      await controls.die();
      break;
    default:
      sendJson(response, 404, {
        error: { field: null, message: 'There is POST and DELETE /fault, POST /restart, /die.' },
      });
      return;
  }
  response.writeHead(204).end();
}

type Problem = { readonly field: string; readonly message: string };

function armFault(faults: ArmedFault, text: string): Problem | null {
  const parsed = faultBody.safeParse(parseJson(text));
  if (parsed.success) {
    const { count: requests, ...fault } = parsed.data;
    faults.arm(fault, requests);
    return null;
  }
  const issue = parsed.error.issues[0];
  const named = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path.join('.');
  return { field: named || 'body', message: issue?.message ?? 'Invalid input' };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** What is not JSON is refused by the schema, as undefined. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
