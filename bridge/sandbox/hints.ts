import { contentBlocks, contentText, objectAt, type Frame } from '../frames.ts'

const REFUSED_PATH = /([^\s'"`:]*\/[^\s'"`:]*)['"`]?: Read-only file system/

/** For the person at the terminal: null unless a tool failed to write. */
export function writeHint(frame: Frame): string | null {
  if (frame['type'] !== 'user') return null
  for (const block of contentBlocks(objectAt(frame, 'message'))) {
    const text = block['type'] === 'tool_result' ? contentText(block) : ''
    if (!/Read-only file system|\bEROFS\b/.test(text)) continue
    const path = REFUSED_PATH.exec(text)?.[1]
    return `svc sandbox: ${path ?? 'the path'} is read-only: to let the agent change it, add it to sandbox.write`
  }
  return null
}
