// Loaded into the built product by --import: it sees what clients send, and fails with it where a signal says so. The
// product has no switch for that.
import { IncomingMessage } from 'node:http';

let sent = 'nothing was sent yet';
const { push } = IncomingMessage.prototype;
IncomingMessage.prototype.push = function keep(chunk, ...rest) {
  if (chunk !== null && chunk !== undefined) sent = `${this.headers['x-api-key']} ${chunk}`;
  return push.call(this, chunk, ...rest);
};

/** As errors are that carry what they failed at. */
const failure = () =>
  Object.assign(new Error(`could not handle ${sent}`, { cause: new SyntaxError(`Unexpected token in ${sent}`) }), {
    body: sent,
  });

process.on('SIGUSR2', () => {
  console.error('the signal has come');
  setImmediate(() => {
    if (process.env.CRASH_BY === 'rejection') void Promise.reject(failure());
    else throw failure();
  });
});
