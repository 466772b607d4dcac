#!/bin/sh
# An MCP server that costs almost no processor time: it waits for $1 seconds (for ever when that is "hang"), then
# answers `initialize` and `tools/list`. Everything else about it is as small as possible.
[ "$1" = hang ] && exec cat >/dev/null
sleep "$1"
while IFS= read -r line; do
  id=${line##*\"id\":}
  id=${id%%[,\}]*}
  case $line in
  *'"method":"initialize"'*)
    echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"slow\",\"version\":\"1.0.0\"}}}"
    ;;
  *'"method":"tools/list"'*)
    echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}}"
    ;;
  esac
done
