# cmake -D ROOT=FOLDER -D FILES=A;B;... -D OUT=FILE -P copse_texts.cmake: writes the texts of files below ROOT as a source of C++
# (cli/variant_listing.hpp).
set(source "#include \"variant_listing.hpp\"\n\nnamespace copse::cli {\n\nstd::span<const source_text> variant_texts() {\n  static constexpr source_text all[]{\n")
foreach(file IN LISTS FILES)
  file(READ ${ROOT}/${file} text)
  string(APPEND source "{\"${file}\", R\"=====(${text})=====\"},\n")
endforeach()
file(WRITE ${OUT} "${source}};\n  return all;\n}\n\n}  // namespace copse::cli\n")
