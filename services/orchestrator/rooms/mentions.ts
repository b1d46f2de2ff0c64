import MarkdownIt, { type Token } from 'markdown-it'

/** Addresses need no link detection: a word that contains one has no mentions. */
const markdown = new MarkdownIt({ html: true, linkify: false, typographer: false })
// Escaped characters remain separate tokens.
markdown.core.ruler.disable('text_join')

/**
 * A name after a blank or an opening bracket. In `@team/tools` and `@name@host` there is none.
 */
const MENTION = /(?<=^|[\s\p{Ps}])@([\p{L}\p{N}_]+(?:[.-]+[\p{L}\p{N}_]+)*)(?![.-]*[\p{L}\p{N}_]|[/@][\p{L}\p{N}_])/gu
const ADDRESS = /:\/\/|^\p{Ps}*(?:www\.|mailto:)/iu
/** Text of these elements contains no mentions. */
const [OPENING, CLOSING] = [/^<(?:a|code|kbd|pre|samp)[\s>]/i, /^<\/(?:a|code|kbd|pre|samp)[\s>]/i]
/** Replaces all but text, blanks and brackets. */
const OBJECT = '\uFFFC'

/** Returns the names after `@` in a message in Markdown, in lower case: not in code, links, quotes or escapes. */
export function mentionsIn(content: string): Set<string> {
  const names = new Set<string>()
  if (!content.includes('@')) return names
  let quotes = 0
  for (const { type, children } of markdown.parse(content, {})) {
    if (type === 'blockquote_open') quotes++
    else if (type === 'blockquote_close') quotes--
    else if (type === 'inline' && quotes === 0)
      for (const word of textOf(children ?? []).split(/\s+/))
        if (!ADDRESS.test(word)) for (const [, name] of word.matchAll(MENTION)) names.add(name!.toLowerCase())
  }
  return names
}

function textOf(tokens: readonly Token[]): string {
  let text = ''
  let depth = 0
  for (const { type, content, info } of tokens) {
    if (type === 'link_open' || (type === 'html_inline' && OPENING.test(content))) depth++
    else if (type === 'link_close' || (type === 'html_inline' && CLOSING.test(content))) depth = Math.max(0, depth - 1)
    else if (depth > 0) continue
    else if (type === 'text') text += content
    else if (type === 'text_special') text += info === 'escape' || content === '@' ? OBJECT : content
    else if (type === 'softbreak' || type === 'hardbreak') text += '\n'
    else if (type === 'html_inline') text += ' '
    else if (type === 'code_inline' || type === 'image') text += OBJECT
  }
  return text
}
