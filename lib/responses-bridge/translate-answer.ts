import { addMessage, chatCompletion, endingOf } from './chat-answer.ts';
import { ResponseItems, UnreadableAnswer } from './response-items.ts';
import { type ResponseIdentity, type ResponsePlan, responseObject } from './response-plan.ts';
import { responsesUsage } from './responses-usage.ts';

/** A whole chat completion (parsed JSON) as the response that the client asked for; null where it is not one. */
export function translateAnswer(plan: ResponsePlan, answer: unknown, identity: ResponseIdentity): object | null {
  const parsed = chatCompletion.safeParse(answer);
  const choice = parsed.data?.choices[0];
  if (!parsed.success || choice === undefined) return null;
  const items = new ResponseItems({
    responseId: identity.responseId,
    offered: plan.offered,
    onEvent: () => {},
  });
  const ending = endingOf(choice.finish_reason ?? 'stop');
  try {
    addMessage(items, choice.message);
  } catch (error) {
    if (error instanceof UnreadableAnswer) return null;
    throw error;
  }
  if (ending.status !== 'failed') items.close(ending.status);
  return responseObject(plan, identity, {
    ...ending,
    model: parsed.data.model || plan.model,
    output: items.output,
    usage: responsesUsage(parsed.data.usage, items.hasReasoning),
  });
}
