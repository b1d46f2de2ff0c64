import { lexer, type Token, type Tokens } from 'marked'

/** Inline elements that text of others may become. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'strong' | 'em' | 'del'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; href: string; children: Inline[] }
  | { kind: 'break' }

export type MarkdownBlock =
  | { kind: 'heading' | 'paragraph'; children: Inline[] }
  | { kind: 'list'; isOrdered: boolean; items: MarkdownBlock[][] }
  | { kind: 'quote'; blocks: MarkdownBlock[] }
  | { kind: 'code'; text: string }
  | { kind: 'table'; rows: Inline[][][] }
  | { kind: 'rule' }

/** A longer text is shown without marks: hostile text could take too long. Characters. */
const MOST_MARKDOWN = 20_000
const MOST_DEPTH = 16

const text = (value: string): Inline => ({ kind: 'text', text: value })

/** Addresses that a link may have; others are shown as text. */
const isSafe = (href: string): boolean => /^(https?:\/\/|mailto:)/i.test(href)

/** Entities that the lexer makes of text. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}
const plain = (value: string): string => value.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!)

function inlines(tokens: readonly Token[] | undefined, depth: number): Inline[] {
  return (tokens ?? []).flatMap((token): Inline | Inline[] => {
    if (depth > MOST_DEPTH) return text(token.raw)
    switch (token.type) {
      case 'strong':
      case 'em':
      case 'del':
        return { kind: token.type, children: inlines(token.tokens, depth + 1) }
      case 'codespan':
        return { kind: 'code', text: plain((token as Tokens.Codespan).text) }
      case 'br':
        return { kind: 'break' }
      case 'link': {
        const { href, raw } = token as Tokens.Link
        return isSafe(href) ? { kind: 'link', href, children: inlines(token.tokens, depth + 1) } : text(raw)
      }
      case 'escape':
        return text(plain((token as Tokens.Escape).text))
      case 'text':
        return token.tokens?.length ? inlines(token.tokens, depth + 1) : text(plain((token as Tokens.Text).text))
      default:
        // HTML and images are text, as written.
        return text(token.raw)
    }
  })
}

function blocks(tokens: readonly Token[] | undefined, depth: number): MarkdownBlock[] {
  return (tokens ?? []).flatMap((token): MarkdownBlock[] => {
    if (depth > MOST_DEPTH) return [{ kind: 'paragraph', children: [text(token.raw)] }]
    switch (token.type) {
      case 'space':
        return []
      case 'heading':
      case 'paragraph':
        return [{ kind: token.type, children: inlines(token.tokens, depth + 1) }]
      case 'text':
        return [{ kind: 'paragraph', children: token.tokens ? inlines(token.tokens, depth + 1) : [text(token.raw)] }]
      case 'code':
        return [{ kind: 'code', text: (token as Tokens.Code).text }]
      case 'hr':
        return [{ kind: 'rule' }]
      case 'blockquote':
        return [{ kind: 'quote', blocks: blocks(token.tokens, depth + 1) }]
      case 'list': {
        const { ordered, items } = token as Tokens.List
        return [{ kind: 'list', isOrdered: ordered, items: items.map((item) => blocks(item.tokens, depth + 1)) }]
      }
      case 'table': {
        const { header, rows } = token as Tokens.Table
        return [
          { kind: 'table', rows: [header, ...rows].map((row) => row.map((cell) => inlines(cell.tokens, depth + 1))) },
        ]
      }
      default:
        return [{ kind: 'paragraph', children: [text(token.raw)] }]
    }
  })
}

/** Reads Markdown into a closed list of elements. Null for text that is shown as written. */
export function markdownBlocks(source: string): MarkdownBlock[] | null {
  if (source.length > MOST_MARKDOWN) return null
  try {
    return blocks(lexer(source), 0)
  } catch {
    // Nested too deeply for the lexer.
    return null
  }
}
