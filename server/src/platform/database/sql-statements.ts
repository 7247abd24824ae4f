/** A comment, string, quoted name or dollar-quoted body, in which a semicolon ends nothing. Otherwise a word or one character. */
const token =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$((?:[A-Za-z_]\w*)?)\$[\s\S]*?\$\1\$|\b\w+|[\s\S]/g
const comment = /^(?:--|\/\*)/

/**
 * The statements of a file. Citus sends some statements to other servers as the text in which they came, so each has to come alone. The
 * body of a function is dollar-quoted: `begin atomic` is refused.
 */
export function statementsIn(text: string): string[] {
  const statements: string[] = []
  let [statement, isEmpty, before] = ['', true, '']
  const end = () => {
    if (!isEmpty) statements.push(statement.trim())
    statement = ''
    isEmpty = true
  }
  for (const [word] of text.matchAll(token)) {
    if (word === ';') {
      end()
      continue
    }
    statement += word
    if (comment.test(word) && word.indexOf('/*', 2) > 0) throw new Error('write no comment inside another comment')
    if (comment.test(word) || word.trim() === '') continue
    if (before.toLowerCase() === 'begin' && word.toLowerCase() === 'atomic')
      throw new Error('dollar-quote the body of the function: begin atomic is not supported')
    before = word
    isEmpty = false
  }
  end()
  return statements
}
