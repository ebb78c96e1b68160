# SPDX-License-Identifier: MIT
# docstrings.jl: every exported name has a docstring, every docstring of these an example, and examples print what they say.

"""The texts of all docstrings of a name."""
function texts_of(name)
    binding = Base.Docs.Binding(Arr, name)
    found = get(Base.Docs.meta(Arr), binding, nothing)
    found === nothing ? String[] : [join(map(string, found.docs[s].text)) for s in found.order]
end

"""The examples of a docstring: for each prompt its code and what is printed after it."""
function examples(text)
    map(eachmatch(r"```jldoctest\n(.*?)```"s, text)) do block
        map(split(block[1], r"^julia> "m; keepempty = false)) do part
            lines = split(rstrip(part), '\n')
            n = something(findfirst(l -> !startswith(l, "       "), lines[2:end]), length(lines))
            join([lines[1], map(l -> l[8:end], lines[2:n])...], '\n'), join(lines[n+1:end], '\n')
        end
    end
end

"""The text that the REPL prints after a line: its output, then its value unless it ends with a semicolon."""
function printed(code, in)
    path, value = mktemp() do path, io
        value = redirect_stdout(() -> include_string(in, code), io)
        flush(io)
        (read(path, String), value)
    end
    quiet = value === nothing || endswith(code, ';')
    rstrip(path * (quiet ? "" : sprint(show, MIME"text/plain"(), value; context = :limit => true)))
end

@testset "examples of $name" for name in filter(!=(:Arr), names(Arr))
    texts = texts_of(name)
    @test !isempty(texts)
    blocks = collect(Iterators.flatten(map(examples, texts)))
    @test !isempty(blocks)
    for lines in blocks
        fresh = Module(:Examples)
        Core.eval(fresh, :(using Arr))
        for (code, want) in lines
            @test printed(code, fresh) == want
        end
    end
end

@testset "what the test finds" begin
    @test length(names(Arr)) > 15
    @test examples("A\n```jldoctest\njulia> for i in 1:2\n           print(i)\n       end\n12\n\njulia> 1 + 1\n2\n```\n") ==
        [[("for i in 1:2\n    print(i)\nend", "12"), ("1 + 1", "2")]]
    @test printed("1 + 1", Module()) == "2" && printed("1 + 1;", Module()) == "" && isempty(examples("no example"))
end
