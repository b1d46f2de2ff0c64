const ESCAPE = 0x1b
/** Zero width space and joiners, word joiner, byte order mark, soft hyphen. */
const INVISIBLE: ReadonlySet<number> = new Set([0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, 0xad])
// oxlint-disable-next-line no-control-regex -- matches them on purpose
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200d\u2060\ufeff]/

/** Maximum length of a sequence: enough for a terminal title, too short to hide a text. */
const MOST_SEQUENCE = 4096

const isBreak = (code: number) => code === 0x0a || code === 0x0d
/** Characters that belong to an adjacent line break. */
const isMargin = (code: number) =>
  code === 0x20 || code === 0x09 || code === 0x7c || isBreak(code) || (code >= 0x2500 && code <= 0x257f)
const isControl = (code: number) => code < 0x20 || (code >= 0x7f && code < 0xa0) || INVISIBLE.has(code)

/** Returns the indexes of visible characters; null if all are visible. Margins without a line break are text. */
export function visibleAt(text: string): Int32Array | null {
  if (!HIDDEN.test(text)) return null
  const visible = new Int32Array(text.length)
  let count = 0
  let margin = -1
  let breaks = false
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at)
    if (isMargin(code)) {
      if (margin < 0) margin = at
      breaks ||= isBreak(code)
      at++
    } else if (code === ESCAPE) at = endOfSequence(text, at)
    else if (isControl(code)) at++
    else {
      if (margin >= 0 && !breaks)
        for (let each = margin; each < at; each++) if (isMargin(text.charCodeAt(each))) visible[count++] = each
      margin = -1
      breaks = false
      visible[count++] = at++
    }
  }
  return visible.subarray(0, count)
}

export function visibleText(text: string): string {
  const visible = visibleAt(text)
  return visible === null ? text : Array.from(visible, (at) => text[at]).join('')
}

/** CSI ends with a letter or sign, OSC and the like with a bell or `ESC \`, others after one more character. */
function endOfSequence(text: string, at: number): number {
  const kind = text[at + 1] ?? ''
  if (kind === '[') return endOfCsi(text, at + 2)
  if (kind !== '' && ']P_^X'.includes(kind)) return endOfString(text, at + 2)
  if (kind !== '' && '()*+#%'.includes(kind)) return Math.min(text.length, at + 3)
  return kind >= ' ' ? at + 2 : at + 1
}

function endOfCsi(text: string, from: number): number {
  for (let end = from; end < Math.min(text.length, from + MOST_SEQUENCE); end++) {
    const code = text.charCodeAt(end)
    if (code >= 0x40 && code <= 0x7e) return end + 1
    if (code < 0x20 || code > 0x3f) return end
  }
  return from
}

/** An unterminated sequence hides nothing. */
function endOfString(text: string, from: number): number {
  for (let end = from; end < Math.min(text.length, from + MOST_SEQUENCE); end++) {
    if (text[end] === '\u0007' || text[end] === '\u009c') return end + 1
    if (text.charCodeAt(end) === ESCAPE) return text[end + 1] === '\\' ? end + 2 : end
  }
  return from
}
