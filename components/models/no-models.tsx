import { CodeBlock } from '#components/ui/code-block.tsx';

const CONFIG = `models:
  - name: qwen3-4b-dp4
    aliases: ["claude-*"]
    replicas:
      - url: http://127.0.0.1:8000   # a running vLLM
        ranks: auto`;

/** Nothing is configured: what to write, and where. */
export function NoModels() {
  return (
    <section aria-labelledby="no-models" className="mx-auto max-w-2xl rounded-lg border border-line px-5 py-6">
      <h2 id="no-models" className="font-semibold text-base">
        No model is configured
      </h2>
      <p className="mt-1 mb-4 text-muted">
        Name a model and the vLLM it runs on. The file is read again when it changes; nothing needs to be restarted.
      </p>
      <CodeBlock title="warden.yaml" code={CONFIG} />
      <p className="mt-5 mb-4 text-muted">Or attach to a running vLLM without a file:</p>
      <CodeBlock title="shell" code="WARDEN_UPSTREAM=http://gpu-box:8000 npm start" />
    </section>
  );
}
