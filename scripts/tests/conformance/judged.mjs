// All scenarios of the official suite. The run fails if this list and the suite differ.

/** `http`: against `/mcp`. `tools`: the same with renamed tools. `stdio`: against `agent mcp`, renamed. */
export const OFFERED = {
  'server-initialize': ['http', 'stdio'],
  ping: ['http', 'stdio'],
  'tools-list': ['http', 'stdio'],
  'tools-call-simple-text': ['tools', 'stdio'],
  'tools-call-error': ['tools', 'stdio'],
  // Checks Host and Origin, so HTTP only.
  'dns-rebinding-protection': ['http'],
}

/** Calls that replace those of the suite's tools. */
export const CALLS = {
  test_simple_text: { name: 'doc_list', arguments: {} },
  test_error_handling: { name: 'doc_read', arguments: { id: 'there-is-none' } },
}

const MEDIA = 'the tools return text and structured output, and no images, audio or resources'
const CLIENT = 'no tool requires a model or an answer of a user from the client'
const SESSIONS = 'resuming a stream requires a session; the server is stateless'
const RESOURCES = 'documents are read with tools, which identify the reader; there are no resources'
const PROMPTS = 'the prompts of a team are in its manifests and documents; the server has none'

export const NOT_OFFERED = {
  'tools-call-image': MEDIA,
  'tools-call-audio': MEDIA,
  'tools-call-embedded-resource': MEDIA,
  'tools-call-mixed-content': MEDIA,
  'tools-call-with-logging': 'calls complete immediately, so nothing is logged meanwhile',
  'tools-call-with-progress': 'calls complete immediately, so there is no progress to report',
  'logging-set-level': 'no log messages are sent to the client: the daemon has its own log',
  'completion-complete': 'completes arguments of prompts and resource templates; there are none',
  'json-schema-2020-12': 'requires a tool of the suite with $defs in its schema; our schemas have none',
  'tools-call-sampling': CLIENT,
  'tools-call-elicitation': CLIENT,
  'elicitation-sep1034-defaults': CLIENT,
  'elicitation-sep1330-enums': CLIENT,
  'server-sse-polling': SESSIONS,
  'server-sse-multiple-streams': SESSIONS,
  'resources-list': RESOURCES,
  'resources-read-text': RESOURCES,
  'resources-read-binary': RESOURCES,
  'resources-templates-read': RESOURCES,
  'resources-subscribe': RESOURCES,
  'resources-unsubscribe': RESOURCES,
  'prompts-list': PROMPTS,
  'prompts-get-simple': PROMPTS,
  'prompts-get-with-args': PROMPTS,
  'prompts-get-embedded-resource': PROMPTS,
  'prompts-get-with-image': PROMPTS,
}

/** `unknown`: not listed here; `gone`: no longer in the suite. */
export function unjudged(scenarios) {
  const judged = [...Object.keys(OFFERED), ...Object.keys(NOT_OFFERED)]
  return {
    unknown: scenarios.filter((name) => !judged.includes(name)),
    gone: judged.filter((name) => !scenarios.includes(name)),
  }
}
