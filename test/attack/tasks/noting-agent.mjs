// An agent program that logs each prompt to a file, as independent evidence, and echoes it.
import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const session_id = randomUUID()
const say = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`)

createInterface({ input: process.stdin }).on('line', (line) => {
  const frame = JSON.parse(line)
  if (frame.type === 'control_request')
    say({
      type: 'control_response',
      response: {
        subtype: 'success',
        request_id: frame.request_id,
        response: { agent_version: '1.0.0', current_permission_mode: 'default' },
      },
    })
  if (frame.type !== 'user') return
  const prompt = frame.message.content
  appendFileSync(process.env.NOTES, `${prompt}\n`)
  say({ type: 'system', subtype: 'init', session_id, cwd: process.cwd(), model: 'none', tools: [], uuid: randomUUID() })
  // Long enough for a kill in between.
  setTimeout(() => result(prompt), 20)
})

function result(prompt) {
  say({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: prompt,
    session_id,
    num_turns: 1,
    total_cost_usd: 0,
    usage: { input_tokens: 0, output_tokens: 0 },
    uuid: randomUUID(),
  })
}
