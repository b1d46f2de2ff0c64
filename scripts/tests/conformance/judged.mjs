// Every scenario of the official suite for servers, judged: what it is run against, or why it does not apply. One that
// is not here fails the run, and so does one that is here and not in the suite.

/** `http`: against `/mcp` as it is. `tools`: likewise, its tools renamed. `stdio`: against `agent mcp`, its tools renamed. */
export const OFFERED = {
  'server-initialize': ['http', 'stdio'],
  ping: ['http', 'stdio'],
  'tools-list': ['http', 'stdio'],
  'tools-call-simple-text': ['tools', 'stdio'],
  'tools-call-error': ['tools', 'stdio'],
  // Of Host and Origin; there are none on standard input.
  'dns-rebinding-protection': ['http'],
}

/** The suite calls tools by names of its own: these calls of ours are made in their place. */
export const CALLS = {
  test_simple_text: { name: 'doc_list', arguments: {} },
  test_error_handling: { name: 'doc_read', arguments: { id: 'there-is-none' } },
}

const MEDIA = 'the tools give text and structured output: there are no pictures, sounds or resources to give'
const CLIENT = 'the tools ask nothing of the client: no tool needs a model or an answer of its user'
const SESSIONS = 'streams that are taken up again need a session: nothing is kept between two requests'
const RESOURCES = 'documents are read by tools, which say who reads them; there are no resources'
const PROMPTS = 'prompts of a team stand in its manifests and documents; the server has none'

export const NOT_OFFERED = {
  'tools-call-image': MEDIA,
  'tools-call-audio': MEDIA,
  'tools-call-embedded-resource': MEDIA,
  'tools-call-mixed-content': MEDIA,
  'tools-call-with-logging': 'a call is answered at once, so that nothing is told meanwhile',
  'tools-call-with-progress': 'a call is answered at once, so that there is no progress to tell',
  'logging-set-level': 'no log messages are sent to the client: the daemon has its own log',
  'completion-complete': 'completes arguments of prompts and resource templates, of which there are none',
  'json-schema-2020-12': 'looks for one tool of the suite whose schema has $defs; schemas of ours are written out',
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

/** Of the scenarios that the suite has: those nobody has judged, and those judged that it has no more. */
export function unjudged(scenarios) {
  const judged = [...Object.keys(OFFERED), ...Object.keys(NOT_OFFERED)]
  return {
    unknown: scenarios.filter((name) => !judged.includes(name)),
    gone: judged.filter((name) => !scenarios.includes(name)),
  }
}
