#!/bin/sh
# An MCP server that needs one megabyte, so that a hundred of them fit anywhere. Its arguments are there to be found
# by. Tools: `echo` answers, `hang` does not, `crash` exits, `freeze` reads nothing any more.
while IFS= read -r line; do
  id=${line##*\"id\":}
  id=${id%%[,\}]*}
  answer=
  case $line in
  *'"method":"initialize"'*)
    answer='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"tiny","version":"1.0.0"}}'
    ;;
  *'"method":"tools/list"'*)
    answer='{"tools":[{"name":"echo","inputSchema":{"type":"object"}},{"name":"hang","inputSchema":{"type":"object"}},{"name":"crash","inputSchema":{"type":"object"}},{"name":"freeze","inputSchema":{"type":"object"}}]}'
    ;;
  *'"method":"ping"'*) answer='{}' ;;
  *'"name":"echo"'*) answer='{"content":[{"type":"text","text":"hello"}]}' ;;
  *'"name":"crash"'*)
    echo 'about to crash' >&2
    exit 7
    ;;
  *'"name":"freeze"'*) kill -STOP $$ ;;
  esac
  [ -n "$answer" ] && echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":$answer}"
done
